import { type Estimate, occupancyOf, positionOf, positions } from './fill-rate.ts'

// Without zod: the page imports this, too.

const hoursIn30Days = 720

/** Income of some GPUs at a price, USD in 30 days. */
export function incomeAt(price: number, gpus: number, occupancy: Estimate): Estimate {
  const full = price * gpus * hoursIn30Days
  return { value: full * occupancy.value, low: full * occupancy.low, high: full * occupancy.high }
}

/**
 * Expected income of a machine in 30 days whose host keeps changing its price, as hosts of simulated markets do every two or three days.
 * The price is expected halfway between its current position and its mean position, with the mean of the GPUs offered at these.
 */
export function outlookAt(
  price: number,
  offered: readonly Ask[],
  { book, gpus, rates }: Offer,
): Estimate | null {
  const now = shareBelow(price, { book, gpus })
  const asked = gpusOf(offered)
  const sum = offered.reduce((sum, ask) => sum + ask.gpus * shareBelow(ask.price, { book, gpus }), 0)
  const fill = fillRateAt(asked > 0 ? (now + sum / asked) / 2 : now, rates)
  const occupancy = fill && rates.return_rate && occupancyOf(fill, rates.return_rate)
  return occupancy && incomeAt(price, gpus, occupancy)
}

/** GPUs that others offer at a price. */
export interface Ask {
  price: number
  gpus: number
}

export const gpusOf = (asks: readonly Ask[]): number => asks.reduce((sum, { gpus }) => sum + gpus, 0)

/** The share of a book that is cheaper than a price, after adding `gpus` GPUs. */
export function shareBelow(price: number, { book, gpus }: Pick<Offer, 'book' | 'gpus'>): number {
  let [below, all] = [0, 0]
  for (const ask of book) {
    all += ask.gpus
    if (ask.price < price) below += ask.gpus
  }
  return below / (gpus + all)
}

/** The position of a price in a book, after adding `gpus` GPUs. */
export const positionIn = (price: number, offer: Pick<Offer, 'book' | 'gpus'>): number =>
  positionOf(shareBelow(price, offer))

/** A position whose rate is part of a mixed rate, and its weight. */
export interface Part {
  position: number
  weight: number
}

/**
 * The positions and weights that make up the fill rate at a share of cheaper GPUs. A position's own rate applies at its middle, and is
 * interpolated linearly between two middles. Before the first middle, after the last one, and beside an unknown position, the position's
 * own rate applies. Null: the rate of the position is unknown.
 */
export function partsAt(share: number, { fill_rates }: Pick<Rates, 'fill_rates'>): Part[] | null {
  const position = positionOf(share)
  if (!fill_rates[position]) return null
  const way = positions * share - (position + 0.5)
  const beside = position + Math.sign(way)
  if (beside === position || !fill_rates[beside]) return [{ position, weight: 1 }]
  return [
    { position, weight: 1 - Math.abs(way) },
    { position: beside, weight: Math.abs(way) },
  ]
}

/** The fill rate at a share of cheaper GPUs; null: unknown. */
export function fillRateAt(share: number, rates: Pick<Rates, 'fill_rates'>): Estimate | null {
  const parts = partsAt(share, rates)
  if (!parts) return null
  const at = (end: keyof Estimate) =>
    parts.reduce((sum, { position, weight }) => sum + weight * (rates.fill_rates[position]?.[end] ?? 0), 0)
  return { value: at('value'), low: at('low'), high: at('high') }
}

/** The book of other hosts: a book without the machine's own GPUs, at one price or several. */
export function bookOfOthers(book: readonly Ask[], own: readonly Ask[]): Ask[] {
  const ownAt = new Map(own.map(({ price, gpus }) => [price, gpus]))
  return book
    .map(({ price, gpus }) => ({ price, gpus: gpus - (ownAt.get(price) ?? 0) }))
    .filter(({ gpus }) => gpus > 0)
}

/**
 * Expected figures at a price. All are null where the position has too few rentals or too little exposure, and above the highest known
 * price.
 */
export interface IncomePoint {
  price: number
  position: number
  /** True if the price is cheaper than all others, or above the well observed ones. It is never recommended. */
  extrapolated: boolean
  fill_rate: Estimate | null
  occupancy: Estimate | null
  /** USD in 30 days. */
  income: Estimate | null
}

/** Rental rates by price decile (null: unknown), and the return rate. */
export interface Rates {
  fill_rates: readonly (Estimate | null)[]
  /** The uncertainty of the factor that all fill rates share, around 1: it moves them together. */
  fill_factor: Estimate
  return_rate: Estimate | null
}

export interface Offer {
  /** The book of others, cheapest first: all available GPUs of the name except the own ones, now or on average. */
  book: readonly Ask[]
  /** Number of GPUs to offer. */
  gpus: number
  rates: Rates
}

const dearestShare = 0.05

/**
 * The highest observed price of a book, cheapest first: at least a twentieth of the offered GPUs belong to others that ask it or more.
 * Above it, the rate of the most expensive position does not apply, since most of that position is cheaper. 0 if nothing is offered.
 */
export function highestKnown(book: readonly Ask[], gpus: number): number {
  const wanted = dearestShare * (gpus + gpusOf(book))
  let asked = 0
  const last = book.findLast((ask) => {
    asked += ask.gpus
    return asked >= wanted
  })
  return last?.price ?? 0
}

/**
 * True if a price is not well observed: below every price of others, in the most expensive tenth, whose prices are far apart, or above the
 * middle of the most expensive position with a rate.
 */
function isExtrapolated(price: number, share: number, { book, rates }: Offer): boolean {
  const last = rates.fill_rates.findLastIndex((rate) => rate !== null)
  return price < (book[0]?.price ?? 0) || share > Math.min(positions - 1, last + 0.5) / positions
}

/**
 * Expected figures at the given prices, in their order. The rate of the most expensive position is used only up to the highest known price:
 * beyond it, income would seem to rise forever.
 */
export function incomeCurve(prices: readonly number[], offer: Offer): IncomePoint[] {
  const { book, gpus, rates } = offer
  const highest = highestKnown(book, gpus)
  const back = rates.return_rate
  return prices.map((price) => {
    const share = shareBelow(price, { book, gpus })
    const fill_rate = price <= highest && back ? fillRateAt(share, rates) : null
    const occupancy = fill_rate && back && occupancyOf(fill_rate, back)
    const income = occupancy && incomeAt(price, gpus, occupancy)
    const extrapolated = isExtrapolated(price, share, offer)
    return { price, position: positionOf(share), extrapolated, fill_rate, occupancy, income }
  })
}

const around = [0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.3]

const steps = 20

/**
 * The prices of a curve, cheapest first: from 30 % below a price to 30 % above, and the highest known price of each twentieth of the book.
 */
export function pricesFor(price: number, gpus: number, book: readonly Ask[]): number[] {
  const prices = new Set(around.map((share) => Number((price * share).toFixed(4))))
  const all = gpus + gpusOf(book)
  const highest = highestKnown(book, gpus)
  let cheaper = 0
  const dearest = new Map<number, number>()
  for (const ask of book) {
    if (ask.price <= highest) dearest.set(Math.floor((steps * cheaper) / all), ask.price)
    cheaper += ask.gpus
  }
  for (const top of dearest.values()) prices.add(top)
  prices.delete(0)
  return [...prices].sort((a, b) => a - b)
}
