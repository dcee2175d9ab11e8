import { day } from '../../../../contract/durations.ts'
import type { Book, Books } from '../../../../estimates/pooled/books.ts'
import { productKey } from '../../../../estimates/pooled/counts.ts'
import type { MarketCounts, PresentRow } from '../../../../estimates/pooled/market.ts'
import { bookDays } from '../../../../estimates/pooled/product.ts'
import { groupBy } from '../../../../platform/group-by.ts'
import { type ClickHouse, selectRows } from '../../../../platform/stores/clickhouse.ts'
import { slotAt } from '../../../market/market-query/timeline.ts'
import type { ComparedAt } from '../comparables.ts'
import { type FitRange, readCells } from './read-counts.ts'

/** Books of a fit, spread evenly over their days, and the blocks that they make. */
const bookCount = 28
const blocks = 7

/** Reads everything that a fit of a market needs. */
export async function readMarket(
  clickhouse: ClickHouse,
  { slots, state }: ComparedAt,
  range: FitRange & { longest: number },
): Promise<MarketCounts> {
  const newest = state.newest_slot
  const [cells, first, books, present] = await Promise.all([
    readCells(clickhouse, range, { slots, longest: range.longest }),
    readSnapshot(clickhouse, range.from),
    readBooks(clickhouse, slots, newest),
    readSnapshot(clickhouse, newest),
  ])
  return { days: (range.to - range.from) / day, cells, first, books, newest: present }
}

const readSnapshot = (clickhouse: ClickHouse, slot: number): Promise<PresentRow[]> =>
  selectRows<PresentRow>(clickhouse, 'advice/snapshot', { from: slot, to: slot + 1, longest: 0 })

interface BookRow {
  slot: number
  gpu_name: string
  gpu_memory: number
  offers: [price: number, gpus: number, machine: number][]
  median: number
}

/** The books of a market's products in the last days, by productKey. */
async function readBooks(
  clickhouse: ClickHouse,
  all: Uint32Array,
  newest: number,
): Promise<Map<string, Books>> {
  const from = Math.max(all[0] ?? newest, newest - bookDays * day)
  const wanted = Array.from(
    { length: bookCount },
    (_, index) => slotAt(all, from + ((newest - from) * index) / (bookCount - 1)) ?? newest,
  )
  const weight = (newest - from) / day / bookCount
  const rows = await selectRows<BookRow>(clickhouse, 'advice/books', { slots: [...new Set(wanted)] })
  return new Map(
    [...groupBy(rows, productKey)].map(([key, of]) => {
      const bySlot = new Map(of.map((row) => [row.slot, row.offers]))
      const books = wanted.map((slot, index): Book => {
        const offers = bySlot.get(slot) ?? []
        return {
          prices: offers.map(([price]) => price),
          gpus: offers.map(([, gpus]) => gpus),
          machines: offers.map(([, , machine]) => machine),
          block: Math.floor((index * blocks) / bookCount),
          weight,
        }
      })
      return [key, { books, median: of.reduce((sum, row) => sum + row.median, 0) / of.length }]
    }),
  )
}
