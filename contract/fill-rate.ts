// Without zod: the page imports this, too.

/** Price positions: 0 is the cheapest tenth of the available GPUs of a name, 9 the dearest. */
export const positions = 10

/** The position of flows in which nothing of a machine is available. */
export const nothingAvailable = 10

const hoursIn30Days = 720
const fewestRentals = 5
const leastExposure = 24

/** An estimate with its 95 % interval. */
export interface Estimate {
  value: number
  low: number
  high: number
}

/** What was counted: events, and the GPU-hours in which they could happen. */
export interface Counted {
  events: number
  hours: number
}

export type ThinReason = 'few_rentals' | 'little_exposure'

/** Why a rate of renting is not answered; null: there is enough. */
export function thinReason({ events, hours }: Counted): ThinReason | null {
  if (hours < leastExposure) return 'little_exposure'
  return events < fewestRentals ? 'few_rentals' : null
}

/**
 * Events per GPU-hour, with the interval of Byar: the exact one of a Poisson count to about a hundredth. It supposes that GPUs are rented
 * one by one. Null without hours.
 */
export function rateOf({ events, hours }: Counted): Estimate | null {
  if (hours <= 0) return null
  return { value: events / hours, low: byarLow(events) / hours, high: byarHigh(events) / hours }
}

const z = 1.96
// Below 0.6 events, which only weighted counts have, the cube would be negative.
const byarLow = (n: number): number =>
  n === 0 ? 0 : n * Math.max(0, 1 - 1 / (9 * n) - z / (3 * Math.sqrt(n))) ** 3
const byarHigh = (n: number): number => (n + 1) * (1 - 1 / (9 * (n + 1)) + z / (3 * Math.sqrt(n + 1))) ** 3

/** The rate of renting, where enough was counted for one. */
export const fillRateOf = (counted: Counted): Estimate | null =>
  thinReason(counted) === null ? rateOf(counted) : null

/** Mean hours until a free GPU is rented. */
export const hoursToRent = (fill: Estimate): number => 1 / fill.value

/** The chance that a free GPU is rented within some hours. */
export const chanceWithin = (fill: Estimate, hours: number): number => 1 - Math.exp(-fill.value * hours)

/**
 * The share of time that a GPU is rented, λ ÷ (λ + μ), when it is rented at the rate λ and comes back at the rate μ. It rises with λ ÷ μ,
 * whose interval is made of those of both rates (MOVER): taking both ends at once would be wider than 95 %. Null when neither was seen.
 */
export function occupancyOf(fill: Estimate, back: Estimate): Estimate | null {
  if (fill.value + back.value === 0) return null
  const value = fill.value / (fill.value + back.value)
  // Without one of the two, all that is known is the other's interval.
  if (fill.value === 0 || back.value === 0)
    return { value, low: fill.low / (fill.low + back.high), high: fill.high / (fill.high + back.low) }
  const ratio = Math.log(fill.value / back.value)
  const below = Math.hypot(Math.log(fill.value / fill.low), Math.log(back.high / back.value))
  const above = Math.hypot(Math.log(fill.high / fill.value), Math.log(back.value / back.low))
  return { value, low: logistic(ratio - below), high: logistic(ratio + above) }
}

/** The product of rates that are known apart from each other, none of them 0 (MOVER). */
export function productOf(factors: readonly Estimate[]): Estimate {
  const value = factors.reduce((product, factor) => product * factor.value, 1)
  const below = Math.hypot(...factors.map((factor) => Math.log(factor.value / factor.low)))
  const above = Math.hypot(...factors.map((factor) => Math.log(factor.high / factor.value)))
  return { value, low: value * Math.exp(-below), high: value * Math.exp(above) }
}

const logistic = (x: number): number => 1 / (1 + Math.exp(-x))

/** What some GPUs earn in 30 days at a price, in USD. */
export function incomeAt(price: number, gpus: number, occupancy: Estimate): Estimate {
  const full = price * gpus * hoursIn30Days
  return { value: full * occupancy.value, low: full * occupancy.low, high: full * occupancy.high }
}

/** Where a price stands of which a share of the available GPUs of the name is cheaper. */
export const positionOf = (share: number): number => Math.min(positions - 1, Math.floor(positions * share))

/** GPUs that others offer at a price. */
export interface Ask {
  price: number
  gpus: number
}

export const gpusOf = (asks: readonly Ask[]): number => asks.reduce((sum, { gpus }) => sum + gpus, 0)

/** The share of a book that is cheaper than a price, when so many GPUs are added to it. */
export const shareBelow = (price: number, { book, gpus }: Pick<Offer, 'book' | 'gpus'>): number =>
  gpusOf(book.filter((ask) => ask.price < price)) / (gpus + gpusOf(book))

/** Where a price stands in a book to which so many GPUs are added. */
export const positionIn = (price: number, offer: Pick<Offer, 'book' | 'gpus'>): number =>
  positionOf(shareBelow(price, offer))

/**
 * The fill rate where a share of the GPUs on offer is cheaper. That of a position is the one at its middle. Between the middles of two
 * positions it goes straight from one to the other; before the first middle, behind the last one and beside an unknown position it is that of
 * the position.
 */
export function fillRateAt(share: number, { fill_rates }: Pick<Rates, 'fill_rates'>): Estimate | null {
  const position = positionOf(share)
  const here = fill_rates[position] ?? null
  const way = positions * share - (position + 0.5)
  const beside = fill_rates[position + Math.sign(way)]
  if (!here || !beside) return here
  const at = (end: keyof Estimate) => here[end] + Math.abs(way) * (beside[end] - here[end])
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
  fill_rate: Estimate | null
  occupancy: Estimate | null
  /** USD in 30 days. */
  income: Estimate | null
}

/** How fast GPUs are rented at each price position, null where it is not known, and how fast they come back. */
export interface Rates {
  fill_rates: readonly (Estimate | null)[]
  return_rate: Estimate | null
}

export interface Offer {
  /** What others offer, cheapest first: all available GPUs of the name but the own ones, now or on average. */
  book: readonly Ask[]
  /** GPUs to offer beside them. */
  gpus: number
  rates: Rates
}

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
 * What to expect at each of some prices, in their order. The rate of the dearest position holds up to the highest known price: above it
 * every price would seem to earn more.
 */
export function incomeCurve(prices: readonly number[], { book, gpus, rates }: Offer): IncomePoint[] {
  const highest = highestKnown(book, gpus)
  const back = rates.return_rate
  return prices.map((price) => {
    const share = shareBelow(price, { book, gpus })
    const fill_rate = price <= highest && back ? fillRateAt(share, rates) : null
    const occupancy = fill_rate && back && occupancyOf(fill_rate, back)
    const income = occupancy && incomeAt(price, gpus, occupancy)
    return { price, position: positionOf(share), fill_rate, occupancy, income }
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

export interface BestPrice {
  price: number
  /** USD in 30 days at this price. */
  income: Estimate
  /** The lowest and the highest price whose interval reaches this income: none of those between is known to be worse. */
  from: number
  to: number
}

/** The price of a curve with the highest income; null when no income is known. Of equal ones the lowest price. */
export function bestPrice(curve: readonly IncomePoint[]): BestPrice | null {
  const known = curve.flatMap(({ price, income }) => (income ? [{ price, income }] : []))
  const best = known.reduce<(typeof known)[number] | null>(
    (top, point) => (top === null || isBetter(point, top) ? point : top),
    null,
  )
  if (!best) return null
  const reaching = known.filter(({ income }) => income.high >= best.income.value).map(({ price }) => price)
  return { ...best, from: Math.min(...reaching), to: Math.max(...reaching) }
}

const isBetter = (a: { price: number; income: Estimate }, b: { price: number; income: Estimate }): boolean =>
  a.income.value > b.income.value || (a.income.value === b.income.value && a.price < b.price)
