import { LRUCache } from 'lru-cache'
import { day, hour } from '../../../../contract/durations.ts'
import { floorTo } from '../../../../contract/ladder.ts'
import type { CellRow } from '../../../../estimates/pooled/counts.ts'
import { type ClickHouse, selectRows } from '../../../../platform/stores/clickhouse.ts'
import { slotsIn } from '../../../market/market-query/timeline.ts'
import type { ComparedAt } from '../comparables.ts'

/** Days of counts of a fit: prices drift, so older ones say less about the present. */
const recentDays = 10

/** A record shorter than this is fitted at each slot, then once an hour. */
const youngSeconds = 6 * hour

/** The range that a fit counts, in unix seconds: pairs of slots whose earlier one is in it. */
export interface FitRange {
  from: number
  to: number
}

/** The range of the next fit; null: there is no slot. */
export function fitRange({ state, slots }: ComparedAt): FitRange | null {
  const newest = state.newest_slot
  const [first] = slots
  if (first === undefined) return null
  const to = newest - first < youngSeconds ? newest : floorTo(hour, newest)
  const from = floorTo(day, to - recentDays * day)
  return { from: slots.find((slot) => slot >= from) ?? first, to }
}

/** Counts of whole days that have passed are kept with the client, by their slots. */
const passedDays = new WeakMap<ClickHouse, LRUCache<string, CellRow[]>>()

/** The counts of a range, day by day. */
export async function readCells(
  clickhouse: ClickHouse,
  { from, to }: FitRange,
  { slots, longest }: { slots: Uint32Array; longest: number },
): Promise<CellRow[]> {
  const kept = passedDays.get(clickhouse) ?? new LRUCache<string, CellRow[]>({ max: recentDays + 2 })
  passedDays.set(clickhouse, kept)
  const found: CellRow[] = []
  for (let begin = from; begin < to; ) {
    const end = Math.min(to, floorTo(day, begin) + day)
    const key = `${begin} ${end} ${slotsIn(slots, { from: begin, to: end + longest })}`
    const rows =
      kept.get(key) ??
      (await selectRows<CellRow>(clickhouse, 'advice/cells', { from: begin, to: end, longest }))
    if (end < to) kept.set(key, rows)
    found.push(...rows)
    begin = end
  }
  return found
}
