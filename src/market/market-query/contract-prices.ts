import type { MarketFilter } from '../../../contract/filter-fields.ts'
import { ladderStepOf, slotStep } from '../../../contract/ladder.ts'
import { filterOf } from '../../../contract/market-filter.ts'
import type { ClickHouse } from '../../../platform/stores/clickhouse.ts'
import { selectHistogram } from './select.ts'
import type { SeriesState } from './series.ts'

/** A question about prices of rented GPUs, in buckets of whole hours. `from` and `to` are on the step. */
interface Asked extends MarketFilter {
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
 * The rule of docs/numbers.md: prices of rented GPUs are shown exactly where a snapshot of the cell has them on at least 5 machines of at least 3 hosts
 * (fragments/thin.sql), and else not at all. The market of a source shows all of them. The cube has a mark of each snapshot, and buckets have
 * the mark of their last one, so snapshots are read only of names whose buckets leave the question open.
 */
export async function shownCells(
  { clickhouse, state }: { clickhouse: ClickHouse; state: Pick<SeriesState, 'is_own'> },
  { names, step, from, to, ...filter }: Asked,
): Promise<ShownCells> {
  if (!state.is_own) return { has: () => true, names: new Set(names) }
  const shown = new Map<string, Set<number>>()
  const open = new Set<string>()
  const read = async (among: string[], stored_step: number) => {
    if (among.length === 0 || from >= to) return
    const asked = { ...filterOf(filter), names: among, stored_step, step, from, to }
    const rows = await selectHistogram<{ gpu_name: string; start: number; rented: string }>(
      clickhouse,
      'thin/stored',
      asked,
    )
    for (const { gpu_name, start, rented } of rows)
      if (rented === 'no') shown.set(gpu_name, (shown.get(gpu_name) ?? new Set()).add(start))
      else if (rented === 'unknown') open.add(gpu_name)
  }
  await read(names, ladderStepOf(step) ?? 3600)
  await read([...open], slotStep)
  return {
    has: (name, bucket) => shown.get(name)?.has(bucket) ?? false,
    names: new Set(shown.keys()),
  }
}
