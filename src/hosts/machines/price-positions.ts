import type { MarketFilter } from '../../../contract/filter-fields.ts'
import { ofProduct } from '../../../contract/market-filter.ts'
import type { Level } from '../../market/depth/book.ts'
import { bookOf, type Comparables, type ComparedAt } from './comparables.ts'
import type { ListedMachine } from './own-machines.ts'

/** The market that prices are compared with. */
export interface PositionsAsked {
  filter: MarketFilter
  at: ComparedAt
}

/** The share of the available, or rented, GPUs of its name and memory that cost less. null: there are none, or their prices are not shown. */
export interface PricePosition {
  avail_percentile: number | null
  rented_percentile: number | null
}

/** Computes the price positions of some machines in the market of the newest slot. */
export function openPricePositions(comparables: Comparables) {
  return async (
    machines: readonly ListedMachine[],
    { filter, at }: PositionsAsked,
  ): Promise<(machine: ListedMachine) => PricePosition> => {
    const names = [...new Set(machines.map(({ gpu_name }) => gpu_name))]
    const book = await comparables(bookOf(filter), names, at)
    return (machine) => {
      const { gpu_name, renter_price } = machine
      const levels = renter_price === null ? [] : ofProduct(machine, book.get(gpu_name) ?? [])
      const shareOf = (rented: boolean) =>
        shareBelow(
          Number(renter_price),
          levels.filter((level) => level.rented === rented),
        )
      return { avail_percentile: shareOf(false), rented_percentile: shareOf(true) }
    }
  }
}

/** The share of some GPUs with a price that costs less than a given price. */
function shareBelow(price: number, levels: readonly Level[]): number | null {
  let [below, all] = [0, 0]
  for (const level of levels) {
    if (level.price === null) continue
    all += level.gpus
    if (level.price / 1e9 < price) below += level.gpus
  }
  return all === 0 ? null : below / all
}
