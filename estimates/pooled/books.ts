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

/** A book as a machine with some GPUs meets it. */
export function bookOfOthers(
  { prices, gpus, machines }: Book,
  { id, gpus: own }: { id: number; gpus: number },
): OthersBook {
  const others = prices.flatMap((price, index) =>
    machines[index] === id ? [] : [{ price, gpus: at(gpus, index) }],
  )
  const below = [0]
  for (const one of others) below.push((below.at(-1) ?? 0) + one.gpus)
  const all = below.at(-1) ?? 0
  return {
    at(price) {
      let [low, high] = [0, others.length]
      while (low < high) {
        const middle = (low + high) >> 1
        if ((others[middle]?.price ?? 0) < price * tolerance) low = middle + 1
        else high = middle
      }
      return { share: at(below, low) / (all + own), others: all }
    },
    lowest: others[0]?.price ?? Number.POSITIVE_INFINITY,
  }
}

/** Numbers of blocks that a bootstrap weighs: fewer where books are made. */
const blocks = { seen: 14, made: 6 }

/**
 * Draws of the weights of the blocks of books (Bayesian bootstrap, Rubin 1981): they show how much it matters that books are few. A row for
 * each block.
 */
export function drawWeights(
  { books }: Pick<Books, 'books'>,
  { draws, isYoung, uniform }: { draws: number; isYoung: boolean; uniform: Uniform },
): Float64Array[] {
  const total = books.reduce((sum, { weight }) => sum + weight, 0)
  const shares: number[] = []
  for (const { block, weight } of books) shares[block] = (shares[block] ?? 0) + weight / total
  const found = Array.from(shares, (share = 0) =>
    Float64Array.from({ length: draws }, () =>
      gammaOf(Math.max(1e-9, share) * (isYoung ? blocks.made : blocks.seen), uniform),
    ),
  )
  for (let draw = 0; draw < draws; draw += 1) {
    const sum = found.reduce((total, row) => total + at(row, draw), 0)
    for (const row of found) row[draw] = at(row, draw) / sum
  }
  return found
}
