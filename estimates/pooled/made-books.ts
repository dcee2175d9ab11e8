import type { Book } from './books.ts'
import type { Uniform } from './draws.ts'
import { linearValue, oddsParts, type Places, type PooledRig, type Relative, rowOf } from './effects.ts'

/** A machine that is on the market, free or rented, with its price. */
export interface Present extends Relative {
  id: number
  rig: PooledRig
  price: number
}

/** Number of made books, and the days of counts whose weight they have together. */
const [made, madeDays] = [12, 2]

/**
 * Books of the machines that are there, each free as often as the fit expects: other machines will be free in the next days.
 */
export function makeBooks(
  present: readonly Present[],
  {
    places,
    effects,
    uniform,
    firstBlock,
  }: { places: Places; effects: Float64Array; uniform: Uniform; firstBlock: number },
): Book[] {
  const chances = present.map(({ rig, ...relative }) => {
    const row = rowOf(oddsParts(places, rig, relative))
    return 1 / (1 + Math.exp(-linearValue(row, effects)))
  })
  return Array.from({ length: made }, (_, index) => {
    const free = present
      .filter((_, machine) => uniform() > (chances[machine] ?? 0))
      .sort((one, other) => one.price - other.price)
    return {
      prices: free.map(({ price }) => price),
      gpus: free.map(({ rig }) => rig.gpus),
      machines: free.map(({ id }) => id),
      block: firstBlock + index,
      weight: madeDays / made,
    }
  })
}
