import { hour } from '../../../contract/durations.ts'
import type { MarketFilter } from '../../../contract/filter-fields.ts'
import { ladderStepOf, slotStep } from '../../../contract/ladder.ts'
import { filterOf, tierOfFilter } from '../../../contract/market-filter.ts'
import type { ClickHouse } from '../../../platform/stores/clickhouse.ts'
import { selectHistogram } from './select.ts'
import type { SeriesState } from './series.ts'

/** A query for prices of rented GPUs, in buckets of whole hours. `from` and `to` are on the step. */
interface RentedPriceQuery extends MarketFilter {
  names: string[]
  step: number
  from: number
  to: number
}

/** The cells (a GPU name of the filter, in a bucket) in which prices of rented GPUs are shown. */
export interface ShownCells {
  has(name: string, bucket: number): boolean
  /** The names that have such a cell. */
  names: ReadonlySet<string>
}

/**
 * The rule of docs/numbers.md: prices of rented GPUs are shown only in cells where a snapshot has them on at least 5 machines of at least 3 hosts
 * (fragments/thin.sql). The market of a source shows all of them. The cube has a mark for each snapshot, and a bucket has the mark of its last
 * snapshot.
 * So snapshots are read only for names whose buckets are undecided.
 */
export async function shownCells(
  { clickhouse, state }: { clickhouse: ClickHouse; state: Pick<SeriesState, 'is_own'> },
  { names, step, from, to, ...filter }: RentedPriceQuery,
): Promise<ShownCells> {
  if (!state.is_own) return { has: () => true, names: new Set(names) }
  // The difference of two tiers could show the price of a few contracts.
  if (tierOfFilter(filter.verified)) return { has: () => false, names: new Set() }
  const shown = new Map<string, Set<number>>()
  const open = new Set<string>()
  const read = async (among: string[], stored_step: number) => {
    if (among.length === 0 || from >= to) return
    const parameters = { ...filterOf(filter), names: among, stored_step, step, from, to }
    const rows = await selectHistogram<{ gpu_name: string; start: number; rented: string }>(
      clickhouse,
      'thin/stored',
      parameters,
    )
    for (const { gpu_name, start, rented } of rows)
      if (rented === 'no') shown.set(gpu_name, (shown.get(gpu_name) ?? new Set()).add(start))
      else if (rented === 'unknown') open.add(gpu_name)
  }
  await read(names, ladderStepOf(step) ?? hour)
  await read([...open], slotStep)
  return {
    has: (name, bucket) => shown.get(name)?.has(bucket) ?? false,
    names: new Set(shown.keys()),
  }
}
