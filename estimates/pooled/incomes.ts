import { type Books, bookOfOthers, type OthersBook } from './books.ts'
import { beside, farthest } from './effects.ts'
import { elasticityAt, returnsAt } from './machine-rates.ts'
import { at } from './matrix.ts'

/** Shares at which the curves are tabulated. */
const grid = 40
/** Prices, as ln, at which rates are computed before they are moved by the market. */
const fine = 0.04
/** Standard deviation of a single machine's own slope in the share of cheaper GPUs, which no pooled curve knows. */
const ownSlope = 0.2

/** A machine with an offer in a product's books, and draws of its rates. */
export interface Machine {
  id: number
  gpus: number
  /** USD per GPU-hour. */
  price: number
  draws: readonly Float64Array[]
}

/** Draws that all machines of a product share. */
export interface ProductDraws {
  books: Books
  /** Weights of the blocks of books: a row for each block. */
  weights: readonly Float64Array[]
  /** Draws of how far the market moves against an own price, as ln. */
  moved: Float64Array
  /** Draws of normal numbers for the machine's own slope. */
  slopes: Float64Array
}

/** Draws of the long-run rates at a price. */
export interface RatesAt {
  /** ln of the price ÷ the own price. */
  step: number
  price: number
  share: number
  /** Rentals per free GPU-hour. */
  fill: number[]
}

/** The book of others, averaged. */
export interface Competition {
  /** GPUs of others on offer. */
  others: number
  /** The cheapest price of others at any time. */
  lowest: number
}

/** Draws of the rental rates at some steps from the own price. */
export function fillRates(
  machine: Machine,
  steps: readonly number[],
  product: ProductDraws,
): { rates: RatesAt[]; competition: Competition } {
  const { price, draws } = machine
  const { books, weights, moved, slopes } = product
  const views = viewsOf(machine, product)
  const table = tableOf(draws)
  const ratesNear = ratesBeside(price, { views, weights, table, moved })
  const here = shareAt(price, views)
  const rates = steps.map((step): RatesAt => {
    const share = shareAt(price * Math.exp(step), views)
    const mean = ratesNear(step)
    const fill = draws.map((draw, index) => {
      const dearness = Math.log(price) + step + at(moved, index) - books.median
      const clipped = Math.min(farthest, Math.max(-farthest, dearness))
      const slope = ownSlope * at(slopes, index) * (share - here)
      return at(mean, index) * Math.exp(at(draw, elasticityAt) * clipped + slope)
    })
    return { step, price: price * Math.exp(step), share, fill }
  })
  return { rates, competition: competitionOf(views) }
}

/** Draws of the return rate. */
export const returnRates = ({ draws }: Machine): number[] =>
  draws.map((draw) => Math.exp(at(draw, returnsAt)))

interface View {
  book: OthersBook
  block: number
  /** Weight of the book in its block. */
  weight: number
  /** Weight of the book in all. */
  part: number
}

function viewsOf(machine: Machine, { books: { books } }: ProductDraws): View[] {
  const ofBlocks: number[] = []
  for (const { block, weight } of books) ofBlocks[block] = (ofBlocks[block] ?? 0) + weight
  const all = ofBlocks.reduce((sum, weight) => sum + weight, 0)
  return books.map((one) => ({
    book: bookOfOthers(one, machine),
    block: one.block,
    weight: one.weight / (ofBlocks[one.block] ?? 1),
    part: one.weight / all,
  }))
}

function competitionOf(views: readonly View[]): Competition {
  return {
    others: views.reduce((sum, { book, part }) => sum + part * book.at(0).others, 0),
    lowest: Math.min(...views.map(({ book }) => book.lowest)),
  }
}

/** λ of each draw at shares from 0 to 1, at the median price. */
function tableOf(draws: readonly Float64Array[]): Float64Array[] {
  return Array.from({ length: grid + 1 }, (_, place) => {
    const [[one, weight], [other, otherWeight]] = beside(place / grid)
    return Float64Array.from(draws, (draw) =>
      Math.exp(weight * at(draw, one) + otherWeight * at(draw, other)),
    )
  })
}

interface Competitors {
  views: readonly View[]
  weights: readonly Float64Array[]
  table: readonly Float64Array[]
}

/** The mean over the books of the share of cheaper GPUs. */
const shareAt = (price: number, views: readonly View[]): number =>
  views.reduce((sum, { book, part }) => sum + part * book.at(price).share, 0)

/**
 * Draws of λ at steps from a price, at the median price. Where the market moves, rates between fine steps are interpolated, so that no draw
 * needs a book of its own.
 */
function ratesBeside(price: number, { moved, ...seen }: Competitors & { moved: Float64Array }) {
  const known = new Map<number, Float64Array>()
  const atFine = (index: number): Float64Array => {
    const found = known.get(index) ?? meanRates(price * Math.exp(index * fine), seen)
    known.set(index, found)
    return found
  }
  if (moved.every((move) => move === 0)) return (step: number) => meanRates(price * Math.exp(step), seen)
  return (step: number) =>
    moved.map((move, draw) => {
      const place = (step + move) / fine
      const below = Math.floor(place)
      return (1 - (place - below)) * at(atFine(below), draw) + (place - below) * at(atFine(below + 1), draw)
    })
}

/** Draws of the mean of λ over the books. */
function meanRates(price: number, { views, weights, table }: Competitors): Float64Array {
  const ofBlocks = weights.map(() => new Float64Array(grid + 1))
  for (const { book, block, weight } of views) {
    const place = book.at(price).share * grid
    const below = Math.min(grid - 1, Math.floor(place))
    const row = ofBlocks[block]
    if (!row) continue
    row[below] = at(row, below) + weight * (1 - (place - below))
    row[below + 1] = at(row, below + 1) + weight * (place - below)
  }
  const rates = new Float64Array(weights[0]?.length ?? 0)
  for (const [block, row] of ofBlocks.entries())
    for (const [place, weight] of row.entries())
      if (weight > 0) addCurve(rates, { weight, luck: weights[block], curve: table[place] })
  return rates
}

function addCurve(
  rates: Float64Array,
  {
    weight,
    luck,
    curve,
  }: { weight: number; luck: Float64Array | undefined; curve: Float64Array | undefined },
): void {
  if (!luck || !curve) return
  for (let draw = 0; draw < rates.length; draw += 1)
    rates[draw] = at(rates, draw) + weight * at(luck, draw) * at(curve, draw)
}
