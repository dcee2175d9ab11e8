import type { MarketFilter } from '../../../contract/filter-fields.ts'
import type { GpuName } from '../../../contract/names.ts'
import { groupBy } from '../../../platform/group-by.ts'
import { openReadCache } from '../../../platform/read-cache.ts'
import type { ClickHouse } from '../../../platform/stores/clickhouse.ts'
import { bookAt, type Level } from '../depth/book.ts'
import { keepNewest } from '../question/keep-newest.ts'
import type { SeriesState } from '../question/series.ts'
import type { ListedMachine } from './own-machines.ts'

type Book = Map<string, Level[]>

/** Which market prices are compared with. */
export interface PositionsAsked {
  filter: MarketFilter
  state: SeriesState
  names: readonly GpuName[]
}

/** The share of the available, or rented, GPUs of its name that cost less. null: there are none, or hosts see no price of them. */
export interface PricePosition {
  avail_percentile: number | null
  rented_percentile: number | null
}

/** Says where the price of a machine stands in the market of the newest slot. The book of a slot and a filter is read once for all hosts. */
export function openPricePositions(clickhouse: ClickHouse) {
  const books = openReadCache<string, Book, PositionsAsked>({
    max: 50,
    fetchMethod: async (_key, _stale, { context: { filter, state, names } }) => {
      const all = { ...filter, names: names.map(({ name }) => name) }
      return groupBy(
        await bookAt(clickhouse, all, { slot: state.newest_slot, state }),
        ({ gpu_name }) => gpu_name,
      )
    },
  })
  const keepOnly = keepNewest(books)
  return async (asked: PositionsAsked): Promise<(machine: ListedMachine) => PricePosition> => {
    const edition = `${asked.state.revision}`
    keepOnly(edition)
    const book = await books.forceFetch(`${edition} ${JSON.stringify(asked.filter)}`, { context: asked })
    return ({ gpu_name, price }) => {
      const levels = price === null ? [] : (book.get(gpu_name) ?? []).filter(({ low }) => low >= 0)
      const shareOf = (rented: boolean) =>
        shareBelow(
          Number(price),
          levels.filter((level) => level.rented === rented),
        )
      return { avail_percentile: shareOf(false), rented_percentile: shareOf(true) }
    }
  }
}

/** Of some GPUs, the share that costs less than a price. In a price bin GPUs are spread evenly. */
function shareBelow(price: number, levels: readonly Level[]): number | null {
  let [below, all] = [0, 0]
  for (const { low, high, gpus } of levels) {
    const [from, to] = [low / 1e9, high / 1e9]
    all += gpus
    below +=
      gpus * (to > from ? Math.max(0, Math.min(1, (price - from) / (to - from))) : Number(from < price))
  }
  return all === 0 ? null : below / all
}
