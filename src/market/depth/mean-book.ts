import { floorTo, priceSteps } from '../../../contract/ladder.ts'
import type { Ask } from '../../../estimates/income-curve.ts'
import type { ClickHouse } from '../../../platform/stores/clickhouse.ts'
import { pooledStep, selectHistogram } from '../market-query/select.ts'
import type { SeriesState } from '../market-query/series.ts'
import { slotsIn } from '../market-query/timeline.ts'
import type { BookFilter, Level } from './book.ts'

/** The asks of a book, cheapest first. */
export function asksIn(levels: readonly Level[]): Ask[] {
  const gpusAt = new Map<number, number>()
  // Sizes of memory may have a price in common.
  for (const { rented, low, gpus } of levels) if (!rented) gpusAt.set(low, (gpusAt.get(low) ?? 0) + gpus)
  return [...gpusAt].map(([low, gpus]) => ({ price: low / 1e9, gpus }))
}

/** What a machine offered on average: its prices, and its GPUs available at each, summed over so many slots. */
export const meanAsks = ([prices, gpus]: readonly [number[], number[]], slots: number): Ask[] =>
  prices.map((price, index) => ({ price, gpus: (gpus[index] ?? 0) / slots }))

const [day, step] = priceSteps

/** The days of a mean book, unix seconds: whole steps of 6 hours, the last of which has the slot; `to` is exclusive. */
export function bookRange(slot: number, days: number): { from: number; to: number } {
  const to = floorTo(step, slot) + step
  return { from: Math.max(0, to - days * day), to }
}

/** The mean of the books of all slots in a range of bookRange, by name and price: `gpus` is a mean. */
export async function readMeanBook(
  clickhouse: ClickHouse,
  filter: BookFilter,
  {
    from,
    to,
    slots,
    state,
  }: { from: number; to: number; slots: Uint32Array; state: Pick<SeriesState, 'summed_since' | 'is_own'> },
): Promise<Level[]> {
  const stored_step = pooledStep({ step, from }, state)
  const statement = 'depth/mean_book'
  const own = Number(state.is_own)
  const rows = await selectHistogram<Level>(clickhouse, statement, { ...filter, own, stored_step, from, to })
  const count = slotsIn(slots, { from, to })
  return rows.map(({ gpus, ...level }) => ({ ...level, gpus: gpus / count }))
}
