import type { MarketFilter } from '../../../contract/filter-fields.ts'
import { ofProduct } from '../../../contract/market-filter.ts'
import type { Level } from '../../market/depth/book.ts'
import { bookOf, type Comparables, type ComparedAt } from './comparables.ts'
import type { ListedMachine } from './own-machines.ts'

/** Which market prices are compared with. */
export interface PositionsAsked {
  filter: MarketFilter
  at: ComparedAt
}

/** The share of the available, or rented, GPUs of its name and memory that cost less. null: there are none, or hosts see no price of them. */
export interface PricePosition {
  avail_percentile: number | null
  rented_percentile: number | null
}

/** Says where the prices of some machines stand in the market of the newest slot. */
export function openPricePositions(comparables: Comparables) {
  return async (
    machines: readonly ListedMachine[],
    { filter, at }: PositionsAsked,
  ): Promise<(machine: ListedMachine) => PricePosition> => {
    const names = [...new Set(machines.map(({ gpu_name }) => gpu_name))]
    const book = await comparables(bookOf(filter), names, at)
    return (machine) => {
      const { gpu_name, price } = machine
      const levels =
        price === null ? [] : ofProduct(machine, book.get(gpu_name) ?? []).filter(({ low }) => low >= 0)
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
