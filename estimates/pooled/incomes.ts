import { bookOfOthers, type OpenBook, type OthersBook } from './books.ts'
import { beside, farthest } from './effects.ts'
import { elasticityAt, returnsAt } from './machine-rates.ts'
import { addTimes, at } from './matrix.ts'

/** Shares at which the curves are tabulated. */
const grid = 40
/** Prices, as ln, at which rates are computed before they are moved by the market. */
const fine = 0.06
/** Standard deviation of a single machine's own slope in the share of cheaper GPUs, which no pooled curve knows. */
const ownSlope = 0.2

/** A machine with an offer in a product's books, and draws of its rates. */
export interface Machine {
  id: number
  gpus: number
  /** USD per GPU-hour. */
  price: number
  /** The rows of drawRates in machine-rates.ts. */
  draws: readonly Float64Array[]
  /** Draws of normal numbers for its own slope. */
  slopes: Float64Array
}

/** Draws that all machines of a product share. */
export interface ProductDraws {
  books: readonly OpenBook[]
  /** Mean of ln of the product's median price. */
  median: number
  /** The part of the prices in the books that the host gets. */
  share: number
  /** Weights of the blocks of books: a row for each block. */
  weights: readonly Float64Array[]
  /** Draws of how far the market moves against an own price, as ln. */
  moved: Float64Array
}

/** Draws of the long-run rates at a price. */
export interface RatesAt {
  share: number
  /** Rentals per free GPU-hour. */
  fill: Float64Array
}

/** The book of others, averaged. */
export interface Competition {
  /** GPUs of others on offer. */
  others: number
  /** The cheapest price of others at any time. */
  lowest: number
}

/** The rates of a machine in a market. */
export interface OpenRates {
  competition: Competition
  /** Draws of the return rate. */
  back: Float64Array
  ratesAt(price: number): RatesAt
}

const noDraws = new Float64Array(0)

/** Computes the rental rates of a machine at some prices. */
export function openRates(machine: Machine, product: ProductDraws): OpenRates {
  const { price: own, draws, slopes } = machine
  const { weights, moved } = product
  const median = product.median + Math.log(product.share)
  const views = viewsOf(machine, product)
  const elasticities = draws[elasticityAt] ?? noDraws
  const blocks = weights.map((_, block) => views.filter((view) => view.block === block))
  const ratesNear = ratesBeside(own, { blocks, weights, curveAt: openCurve(draws), moved })
  const here = shareAt(own, views)
  return {
    competition: competitionOf(views),
    back: (draws[returnsAt] ?? noDraws).map(Math.exp),
    ratesAt(price) {
      const share = shareAt(price, views)
      const fill = ratesNear(price)
      for (let draw = 0; draw < fill.length; draw += 1) {
        const dearness = Math.log(price) + at(moved, draw) - median
        const clipped = Math.min(farthest, Math.max(-farthest, dearness))
        const slope = ownSlope * at(slopes, draw) * (share - here)
        fill[draw] = at(fill, draw) * Math.exp(at(elasticities, draw) * clipped + slope)
      }
      return { share, fill }
    },
  }
}

interface View {
  book: OthersBook
  block: number
  /** Weight of the book in its block. */
  weight: number
  /** Weight of the book in all. */
  part: number
}

function viewsOf({ id, gpus }: Machine, { books, share }: ProductDraws): View[] {
  const ofBlocks: number[] = []
  for (const { block, weight } of books) ofBlocks[block] = (ofBlocks[block] ?? 0) + weight
  const all = ofBlocks.reduce((sum, weight) => sum + weight, 0)
  return books.map((one) => ({
    book: bookOfOthers(one, { id, gpus, share }),
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

/** Draws of λ at a place of the grid of shares from 0 to 1, at the median price. */
type Curve = (place: number) => Float64Array

/** Curves of machines whose incomes are computed several times. */
const curves = new WeakMap<readonly Float64Array[], Float64Array[]>()

function openCurve(draws: readonly Float64Array[]): Curve {
  const known = curves.get(draws) ?? []
  curves.set(draws, known)
  return (place) => {
    const found = known[place] ?? curveAt(draws, place)
    known[place] = found
    return found
  }
}

function curveAt(draws: readonly Float64Array[], place: number): Float64Array {
  const rates = new Float64Array(draws[0]?.length ?? 0)
  for (const [knot, weight] of beside(place / grid)) addTimes(rates, draws[knot] ?? noDraws, weight)
  for (let draw = 0; draw < rates.length; draw += 1) rates[draw] = Math.exp(at(rates, draw))
  return rates
}

interface Competitors {
  /** By block. */
  blocks: readonly (readonly View[])[]
  weights: readonly Float64Array[]
  curveAt: Curve
}

/** The mean over the books of the share of cheaper GPUs. */
const shareAt = (price: number, views: readonly View[]): number =>
  views.reduce((sum, { book, part }) => sum + part * book.at(price).share, 0)

/**
 * Draws of λ at a price, at the median price, where the market moves. Rates between fine steps from the own price are interpolated, so that no
 * draw needs a book of its own.
 */
function ratesBeside(own: number, { moved, ...seen }: Competitors & { moved: Float64Array }) {
  const known = new Map<number, Float64Array>()
  const atFine = (index: number): Float64Array => {
    const found = known.get(index) ?? meanRates(own * Math.exp(index * fine), seen)
    known.set(index, found)
    return found
  }
  return (price: number) => {
    const step = Math.log(price / own)
    const places = moved.map((move) => (step + move) / fine)
    const first = Math.floor(places.reduce((least, place) => Math.min(least, place)))
    const beyond = Math.floor(places.reduce((most, place) => Math.max(most, place))) + 2
    const rates = Array.from({ length: beyond - first }, (_, index) => atFine(first + index))
    return places.map((place, draw) => {
      const below = Math.floor(place) - first
      const part = place - first - below
      return (1 - part) * at(rates[below] ?? noDraws, draw) + part * at(rates[below + 1] ?? noDraws, draw)
    })
  }
}

/** Draws of the mean of λ over the books. */
function meanRates(price: number, { blocks, weights, curveAt }: Competitors): Float64Array {
  const rates = new Float64Array(weights[0]?.length ?? 0)
  const places = new Float64Array(grid + 1)
  for (const [block, luck] of weights.entries()) {
    places.fill(0)
    for (const view of blocks[block] ?? []) addPlace(places, view, price)
    for (let place = 0; place <= grid; place += 1) {
      const weight = at(places, place)
      if (weight > 0) addProducts(rates, [luck, curveAt(place)], weight)
    }
  }
  return rates
}

/** Adds a multiple of the products of two vectors. */
function addProducts(
  sums: Float64Array,
  [one, other]: readonly [Float64Array, Float64Array],
  factor: number,
): void {
  for (let index = 0; index < sums.length; index += 1)
    sums[index] = at(sums, index) + factor * at(one, index) * at(other, index)
}

/** Adds the weight of a book to the places of the grid beside a price. */
function addPlace(places: Float64Array, { book, weight }: View, price: number): void {
  const place = book.at(price).share * grid
  const below = Math.min(grid - 1, Math.floor(place))
  places[below] = at(places, below) + weight * (1 - (place - below))
  places[below + 1] = at(places, below + 1) + weight * (place - below)
}
