// Without zod: the page imports this, too.

/** Price deciles: 0 is the cheapest tenth of the available GPUs of a name, 9 the most expensive. */
export const positions = 10

/** The position in flows of a machine without available GPUs. */
export const nothingAvailable = 10

const fewestRentals = 5
const leastExposure = 24

/** An estimate with its 95 % interval. */
export interface Estimate {
  value: number
  low: number
  high: number
}

/** The neutral factor, known exactly. */
export const certain: Estimate = { value: 1, low: 1, high: 1 }

/** Counted events, and the GPU-hours in which they could happen. */
export interface Counted {
  events: number
  hours: number
}

export type ThinReason = 'few_rentals' | 'little_exposure'

/** The reason why no rental rate is returned; null: there is enough data. */
export function thinReason({ events, hours }: Counted): ThinReason | null {
  if (hours < leastExposure) return 'little_exposure'
  return events < fewestRentals ? 'few_rentals' : null
}

/**
 * Events per GPU-hour, with Byar's interval: it matches the exact Poisson interval to about a hundredth. It assumes that GPUs are rented
 * one by one. Null without hours.
 */
export function rateOf({ events, hours }: Counted): Estimate | null {
  if (hours <= 0) return null
  return { value: events / hours, low: byarLow(events) / hours, high: byarHigh(events) / hours }
}

const z = 1.96
// Below 0.6 events, which occur with weights only, the cube would be negative.
const byarLow = (n: number): number =>
  n === 0 ? 0 : n * Math.max(0, 1 - 1 / (9 * n) - z / (3 * Math.sqrt(n))) ** 3
const byarHigh = (n: number): number => (n + 1) * (1 - 1 / (9 * (n + 1)) + z / (3 * Math.sqrt(n + 1))) ** 3

/** The rental rate; null if there is too little data. */
export const fillRateOf = (counted: Counted): Estimate | null =>
  thinReason(counted) === null ? rateOf(counted) : null

/** Mean hours until a free GPU is rented. */
export const hoursToRent = (fill: Estimate): number => 1 / fill.value

/** The probability that a free GPU is rented within some hours. */
export const chanceWithin = (fill: Estimate, hours: number): number => 1 - Math.exp(-fill.value * hours)

/**
 * The share of time that a GPU is rented, λ ÷ (λ + μ), for rental rate λ and return rate μ. It rises with λ ÷ μ, whose interval combines
 * the intervals of both rates (MOVER): combining their ends directly would exceed 95 %. Null when no event of either kind was seen.
 */
export function occupancyOf(fill: Estimate, back: Estimate): Estimate | null {
  if (fill.value + back.value === 0) return null
  const value = fill.value / (fill.value + back.value)
  // Without one of the two rates, only the other one's interval is known.
  if (fill.value === 0 || back.value === 0)
    return { value, low: fill.low / (fill.low + back.high), high: fill.high / (fill.high + back.low) }
  const ratio = Math.log(fill.value / back.value)
  const below = Math.hypot(Math.log(fill.value / fill.low), Math.log(back.high / back.value))
  const above = Math.hypot(Math.log(fill.high / fill.value), Math.log(back.value / back.low))
  return { value, low: logistic(ratio - below), high: logistic(ratio + above) }
}

/** The product of independent rates, none of them 0 (MOVER). */
export function productOf(factors: readonly Estimate[]): Estimate {
  const value = factors.reduce((product, factor) => product * factor.value, 1)
  const below = Math.hypot(...factors.map((factor) => Math.log(factor.value / factor.low)))
  const above = Math.hypot(...factors.map((factor) => Math.log(factor.high / factor.value)))
  return { value, low: value * Math.exp(-below), high: value * Math.exp(above) }
}

const logistic = (x: number): number => 1 / (1 + Math.exp(-x))

/** The position of a price, from the share of the name's available GPUs that cost less. */
export const positionOf = (share: number): number => Math.min(positions - 1, Math.floor(positions * share))
