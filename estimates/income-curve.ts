import type { Margin } from './costs.ts'
import { type Estimate, occupancyOf, positionOf, positions } from './fill-rate.ts'

// Without zod: the page imports this, too.

const hoursIn30Days = 720

/** What some GPUs earn in 30 days at a price, in USD. */
export function incomeAt(price: number, gpus: number, occupancy: Estimate): Estimate {
  const full = price * gpus * hoursIn30Days
  return { value: full * occupancy.value, low: full * occupancy.low, high: full * occupancy.high }
}

/**
 * What a machine earns in 30 days while its host changes its price as before: hosts of simulated markets do every two or three days. It is
 * expected halfway between where its price stands now and where its prices stood on average, and so many GPUs were offered at each of these.
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

/** The share of a book that is cheaper than a price, when so many GPUs are added to it. */
export function shareBelow(price: number, { book, gpus }: Pick<Offer, 'book' | 'gpus'>): number {
  let [below, all] = [0, 0]
  for (const ask of book) {
    all += ask.gpus
    if (ask.price < price) below += ask.gpus
  }
  return below / (gpus + all)
}

/** Where a price stands in a book to which so many GPUs are added. */
export const positionIn = (price: number, offer: Pick<Offer, 'book' | 'gpus'>): number =>
  positionOf(shareBelow(price, offer))

/** A position whose rate is a part of another rate, and how large a part. */
export interface Part {
  position: number
  weight: number
}

/**
 * What the fill rate is made of where a share of the GPUs on offer is cheaper. That of a position is the one at its middle. Between the middles
 * of two positions it goes straight from one to the other; before the first middle, behind the last one and beside an unknown position it is
 * that of the position. Null: the rate of the position is not known.
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

/** The fill rate where a share of the GPUs on offer is cheaper; null: not known. */
export function fillRateAt(share: number, rates: Pick<Rates, 'fill_rates'>): Estimate | null {
  const parts = partsAt(share, rates)
  if (!parts) return null
  const at = (end: keyof Estimate) =>
    parts.reduce((sum, { position, weight }) => sum + weight * (rates.fill_rates[position]?.[end] ?? 0), 0)
  return { value: at('value'), low: at('low'), high: at('high') }
}

/** What others offer: a book without the GPUs that a machine itself offers, at one price or at several. */
export function bookOfOthers(book: readonly Ask[], own: readonly Ask[]): Ask[] {
  const ownAt = new Map(own.map(({ price, gpus }) => [price, gpus]))
  return book
    .map(({ price, gpus }) => ({ price, gpus: gpus - (ownAt.get(price) ?? 0) }))
    .filter(({ gpus }) => gpus > 0)
}

/** What to expect at a price. All are null where the position has too few rentals or too little exposure, and above the highest known price. */
export interface IncomePoint {
  price: number
  position: number
  /** Cheaper than all others, or dearer than what was well observed: it is never recommended. */
  extrapolated: boolean
  fill_rate: Estimate | null
  occupancy: Estimate | null
  /** USD in 30 days. */
  income: Estimate | null
}

/** How fast GPUs are rented in each price decile, null where it is not known, and how fast they come back. */
export interface Rates {
  fill_rates: readonly (Estimate | null)[]
  /** How sure the factor is that all fill rates have in common, around 1: it moves them together. */
  fill_factor: Estimate
  return_rate: Estimate | null
}

export interface Offer {
  /** What others offer, cheapest first: all available GPUs of the name but the own ones, now or on average. */
  book: readonly Ask[]
  /** GPUs to offer beside them. */
  gpus: number
  rates: Rates
  /** What costs leave of a price; without it all of it is. */
  margin?: Margin | null | undefined
}

/** What an hour that a GPU is rented at a price leaves more than an hour idle, in USD. */
export const worthOf = (price: number, { margin }: Pick<Offer, 'margin'>): number =>
  margin ? margin.kept * price - margin.power : price

const dearestShare = 0.05

/**
 * The highest price of a book, cheapest first, of which something is known: of the GPUs on offer, a twentieth are others' that ask it or
 * more. Above it the rate of the dearest position, most of which is cheaper, says little. 0 when nothing is offered.
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
 * Whether a price lies outside of what was well observed: below every price of others, in the dearest tenth, whose prices are far apart, or
 * dearer than the middle of the dearest position with a rate.
 */
function isExtrapolated(price: number, share: number, { book, rates }: Offer): boolean {
  const last = rates.fill_rates.findLastIndex((rate) => rate !== null)
  return price < (book[0]?.price ?? 0) || share > Math.min(positions - 1, last + 0.5) / positions
}

/**
 * What to expect at each of some prices, in their order. The rate of the dearest position holds up to the highest known price: above it
 * every price would seem to earn more.
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
 * The prices of a curve: from 30 % below a price to 30 % above, and the dearest known one of each twentieth of the book, cheapest first.
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
