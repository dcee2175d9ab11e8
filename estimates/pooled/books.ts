import { gammaOf, type Uniform } from './draws.ts'
import { at } from './matrix.ts'

/** The offers of a product at a slot, cheapest first: prices, GPUs at each, and their machines. */
export interface Book {
  prices: readonly number[]
  gpus: readonly number[]
  machines: readonly number[]
  /** Books of one block, mostly a day, are weighted together. */
  block: number
  weight: number
}

/** The books of a product, and the price that its machines are compared with. */
export interface Books {
  books: readonly Book[]
  /** Mean of ln of the product's median price. */
  median: number
}

/** A place in a book. */
export interface Place {
  /** Share of all GPUs that cost less; the own GPUs are part of all. */
  share: number
  /** GPUs of others. */
  others: number
}

/** A book without the offer of one machine. */
export interface OthersBook {
  at(price: number): Place
  /** The cheapest price of others; infinity: there is none. */
  lowest: number
}

/** Prices within this factor are equal. */
const tolerance = 1 - 1e-9

/** A book that is searched often. */
export interface OpenBook extends Pick<Book, 'machines' | 'block' | 'weight'> {
  prices: Float64Array
  /** GPUs before each offer, and of all. */
  below: Float64Array
}

export function openBook({ prices, gpus, ...book }: Book): OpenBook {
  const below = new Float64Array(prices.length + 1)
  for (const [index, of] of gpus.entries()) below[index + 1] = at(below, index) + of
  return { ...book, prices: Float64Array.from(prices), below }
}

/** A book as a machine with some GPUs meets it. `share`: the part of the prices that its host gets. */
export function bookOfOthers(
  { prices, below, machines }: OpenBook,
  { id, gpus, share = 1 }: { id: number; gpus: number; share?: number },
): OthersBook {
  const own: number[] = []
  for (let index = machines.indexOf(id); index >= 0; index = machines.indexOf(id, index + 1)) own.push(index)
  const belowOf = (end: number): number => {
    let sum = at(below, end)
    for (const index of own) if (index < end) sum -= at(below, index + 1) - at(below, index)
    return sum
  }
  const others = belowOf(prices.length)
  const first = prices.findIndex((_, index) => machines[index] !== id)
  return {
    at(price) {
      const least = (price * tolerance) / share
      let [low, high] = [0, prices.length]
      while (low < high) {
        const middle = (low + high) >> 1
        if (at(prices, middle) < least) low = middle + 1
        else high = middle
      }
      return { share: belowOf(low) / (others + gpus), others }
    },
    lowest: first < 0 ? Number.POSITIVE_INFINITY : at(prices, first) * share,
  }
}

/** Number of blocks that a bootstrap weighs: days differ, and only a few come next. */
const blocks = 6

/**
 * Draws of the weights of the blocks of books (Bayesian bootstrap, Rubin 1981): they show how much the books of a few days differ. A row for
 * each block.
 */
export function drawWeights(
  books: readonly Pick<Book, 'block' | 'weight'>[],
  { draws, uniform }: { draws: number; uniform: Uniform },
): Float64Array[] {
  const total = books.reduce((sum, { weight }) => sum + weight, 0)
  const shares: number[] = []
  for (const { block, weight } of books) shares[block] = (shares[block] ?? 0) + weight / total
  const found = Array.from(shares, (share = 0) =>
    Float64Array.from({ length: draws }, () => gammaOf(Math.max(1e-9, share) * blocks, uniform)),
  )
  for (let draw = 0; draw < draws; draw += 1) {
    const sum = found.reduce((total, row) => total + at(row, draw), 0)
    for (const row of found) row[draw] = at(row, draw) / sum
  }
  return found
}
