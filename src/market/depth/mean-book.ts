import type { MarketFilter } from '../../../contract/filter-fields.ts'
import { floorTo, priceSteps } from '../../../contract/ladder.ts'
import type { Ask } from '../../../estimates/income-curve.ts'
import type { ClickHouse } from '../../../platform/stores/clickhouse.ts'
import { shownCells } from '../market-query/contract-prices.ts'
import { pooledStep, selectHistogram } from '../market-query/select.ts'
import type { SeriesState } from '../market-query/series.ts'
import { slotsIn } from '../market-query/timeline.ts'
import type { Level } from './book.ts'

/** The asks of a book, cheapest first. */
export function asksIn(levels: readonly Level[]): Ask[] {
  const gpusAt = new Map<number, number>()
  // Sizes of memory may have a price in common.
  for (const { rented, price, gpus } of levels)
    if (!rented && price !== null) gpusAt.set(price, (gpusAt.get(price) ?? 0) + gpus)
  return [...gpusAt].map(([price, gpus]) => ({ price: price / 1e9, gpus }))
}

/** The mean offers of a machine, from its prices and the GPUs available at each price, summed over `slots` slots. */
export const meanAsks = ([prices, gpus]: readonly [number[], number[]], slots: number): Ask[] =>
  prices.map((price, index) => ({ price, gpus: (gpus[index] ?? 0) / slots }))

const [day, step] = priceSteps

/** The days of a mean book, unix seconds: whole steps of 6 hours, up to the step that contains the slot, if readers may see all of it. `to` is exclusive. */
export function bookRange(
  slot: number,
  days: number,
  { hidden_from }: Pick<SeriesState, 'hidden_from'> = { hidden_from: Number.POSITIVE_INFINITY },
) {
  const to = Math.min(floorTo(step, slot) + step, floorTo(step, hidden_from))
  return { from: Math.max(0, to - days * day), to }
}

interface BookSlots {
  from: number
  to: number
  slots: Uint32Array
  /** Seconds of the stored buckets that are read. Default: the widest that fit. */
  stored_step?: number
}

/** The asks of the mean book over all slots of a range (see bookRange), by name, size of memory and price. `gpus` is a mean over the slots. */
export async function readMeanAsks(
  clickhouse: ClickHouse,
  filter: MarketFilter & { names: readonly string[] },
  of: BookSlots,
): Promise<Level[]> {
  const rows = await selectHistogram<Level>(clickhouse, 'depth/mean_asks', { ...filter, ...stored(of) })
  return meanOf(rows, of)
}

/** The mean book over all slots of a range (see bookRange), by name and price. */
export async function readMeanBook(
  clickhouse: ClickHouse,
  filter: MarketFilter & { names: string[] },
  of: BookSlots & { state: SeriesState },
): Promise<Level[]> {
  const { from, to, state } = of
  const { names: shown } = await shownCells({ clickhouse, state }, { ...filter, step, from, to })
  const asked = { ...filter, ...stored(of), shown: [...shown] }
  return meanOf(await selectHistogram<Level>(clickhouse, 'depth/mean_book', asked), of)
}

const stored = ({ from, to, stored_step = pooledStep(step) }: BookSlots) => ({ stored_step, from, to })

function meanOf(rows: readonly Level[], of: BookSlots): Level[] {
  const count = slotsIn(of.slots, of)
  return rows.map(({ gpus, ...level }) => ({ ...level, gpus: gpus / count }))
}
