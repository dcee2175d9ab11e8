import { day, hour } from '../../contract/durations.ts'
import { sameName } from '../../contract/gpu-names.ts'
import { floorTo } from '../../contract/ladder.ts'
import { type SeenFlows, withSeenTimes } from '../../estimates/between-sights.ts'
import { fillRateOf, hoursToRent } from '../../estimates/fill-rate.ts'
import { groupBy } from '../../platform/group-by.ts'
import { selectRows } from '../../platform/stores/clickhouse.ts'
import type { Stores } from '../../platform/stores/stores.ts'
import { bookAt, type Level } from './depth/book.ts'
import { everything } from './market-query/select.ts'
import { type SeriesView, watchSeries } from './market-query/series.ts'

/** A GPU name at the newest slot. Prices in USD per GPU-hour. */
export interface MarketRow {
  gpu_name: string
  rented_median: number | null
  avail_median: number | null
  occupancy: number
  available_gpus: number
  /** Mean hours until an available GPU is rented, over the last seven days; null: too few data. */
  hours_to_rent: number | null
}

export interface MarketBook {
  gpu_name: string
  slot: number
  /** The book at exact prices: operators may see them. */
  book: { price: number; available: number; rented_gpus: number }[]
  /** The last seven days, oldest first. */
  days: { start: number; revpag: number | null; adr: number | null; occupancy: number }[]
}

interface Latest {
  gpu_name: string
  rented_median: number | null
  price_median: number | null
  total_gpus: number
  available_gpus: number
}
interface Flows extends SeenFlows {
  gpu_name: string
}

/** Every GPU name of the newest slot, most GPUs first. */
export async function readMarket({ postgres, clickhouse }: Stores): Promise<MarketRow[]> {
  const series = watchSeries(postgres, clickhouse)
  const slot = (await series.state()).recorded_slot
  const names = (await series.names()).map(({ name }) => name)
  const to = floorTo(hour, slot)
  const [latest, flows] = await Promise.all([
    selectRows<Latest>(clickhouse, 'current/latest', {
      ...everything,
      // Operators see all of it.
      own: 0,
      slot,
      fewest: 1,
    }),
    selectRows<Flows>(clickhouse, 'machines/class_flows', {
      names,
      from: Math.max(0, to - 7 * day),
      to,
    }),
  ])
  return latest.map(({ gpu_name, rented_median, price_median, total_gpus, available_gpus }) => ({
    gpu_name,
    rented_median,
    avail_median: price_median,
    available_gpus,
    occupancy: (total_gpus - available_gpus) / total_gpus,
    hours_to_rent: hoursOf(flows.filter((row) => row.gpu_name === gpu_name)),
  }))
}

function hoursOf(counted: readonly Flows[]): number | null {
  const rows = withSeenTimes(counted)
  const events = rows.reduce((sum, row) => sum + row.rented_gpus, 0)
  const hours = rows.reduce((sum, row) => sum + row.exposed_seconds, 0) / hour
  const fill = fillRateOf({ events, hours })
  return fill && hoursToRent(fill)
}

/** The book of one GPU name, and the earnings of its GPUs; undefined when the market has no such name. */
export async function readBook(
  { postgres, clickhouse }: Stores,
  asked: string,
): Promise<MarketBook | undefined> {
  const series = watchSeries(postgres, clickhouse)
  const gpu_name = await nameOf(series, asked)
  if (gpu_name === undefined) return undefined
  const slot = (await series.state()).recorded_slot
  const filter = { ...everything, names: [gpu_name], by_memory: false }
  const to = floorTo(day, slot) + day
  const range = { step: day, stored_step: day, from: Math.max(0, to - 7 * day), to }
  const [levels, days] = await Promise.all([
    // Exact prices, as in the market of a source.
    bookAt(clickhouse, filter, { slot, state: { is_own: false } }),
    selectRows<{ start: number; rented_gpus: number; all_gpus: number; paid: number }>(
      clickhouse,
      'revenue/buckets',
      { ...filter, ...range },
    ),
  ])
  return {
    gpu_name,
    slot,
    book: bookOf(levels),
    days: days
      .filter(({ all_gpus }) => all_gpus > 0)
      .sort((a, b) => a.start - b.start)
      .map(({ start, rented_gpus, all_gpus, paid }) => ({
        start,
        revpag: paid / all_gpus,
        adr: rented_gpus === 0 ? null : paid / rented_gpus,
        occupancy: rented_gpus / all_gpus,
      })),
  }
}

function bookOf(levels: readonly Level[]): MarketBook['book'] {
  const gpusOf = (found: readonly Level[], rented: boolean) =>
    found.find((level) => level.rented === rented)?.gpus ?? 0
  return [...groupBy(levels, ({ price }) => price ?? 0)].map(([price, found]) => ({
    price: price / 1e9,
    available: gpusOf(found, false),
    rented_gpus: gpusOf(found, true),
  }))
}

const nameOf = async (series: SeriesView, asked: string): Promise<string | undefined> =>
  (await series.names()).find(({ name }) => sameName(name, asked.replaceAll('_', ' ')))?.name
