import type { Estimate } from './fill-rate.ts'
import { type Offer, partsAt, shareBelow, worthOf } from './income-curve.ts'

// Without zod: the page imports this, too.

/** The value of a rented hour, and the odds of being rented (fill rate ÷ return rate), split by position. */
interface Priced {
  worth: number
  odds: ReadonlyMap<number, number>
}

/** The income of a price as a function of a multiplier x: the odds are `fixed` + `moved` × x. */
interface Moving {
  worth: number
  fixed: number
  moved: number
}

/** The distances from a value to the ends of its interval, as logarithms. */
interface Reach {
  below: number
  above: number
}

const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0)
const apart = (one: number, other: number): number => Math.log(other / one)
const reachOf = ({ value, low, high }: Estimate): Reach => ({
  below: apart(low, value),
  above: apart(value, high),
})
/** The reach of the reciprocal. */
const inverse = ({ below, above }: Reach): Reach => ({ below: above, above: below })
const added = (one: Reach, other: Reach): Reach => ({
  below: Math.hypot(one.below, other.below),
  above: Math.hypot(one.above, other.above),
})
/** A reach without one of its components. */
const without = (whole: Reach, part: Reach): Reach => ({
  below: Math.sqrt(Math.max(0, whole.below ** 2 - part.below ** 2)),
  above: Math.sqrt(Math.max(0, whole.above ** 2 - part.above ** 2)),
})

/**
 * The daily gain in USD from one price to another, with its 95 % interval; null: unknown. If costs are known, the gain is net. An hour
 * rented must have a margin at both prices.
 * Both incomes depend on the same return rate, on the same factor of all fill rates, and in part on the rates of the same positions. So
 * each of these is moved through its own interval in both incomes at once, and the resulting distances are added as squares (MOVER, Zou and
 * Donner 2008).
 */
export function gainOf({ from, to }: { from: number; to: number }, offer: Offer): Estimate | null {
  const { fill_rates, fill_factor, return_rate } = offer.rates
  const [there, here] = [pricedAt(to, offer), pricedAt(from, offer)]
  if (!return_rate || !there || !here) return null
  const factor = reachOf(fill_factor)
  const value = gainAt(1, movingWith(there), movingWith(here))
  const ends = [
    endsOf(added(factor, inverse(reachOf(return_rate))), movingWith(there), movingWith(here)),
    ...[...new Set([...there.odds.keys(), ...here.odds.keys()])].map((position) => {
      const rate = fill_rates[position]
      const alone = rate ? without(reachOf(rate), factor) : { below: 0, above: 0 }
      return endsOf(alone, movingWith(there, position), movingWith(here, position))
    }),
  ]
  const aDay = 24 * offer.gpus
  return {
    value: aDay * value,
    low: aDay * (value - Math.hypot(...ends.map(({ low }) => value - low))),
    high: aDay * (value + Math.hypot(...ends.map(({ high }) => high - value))),
  }
}

function pricedAt(price: number, offer: Offer): Priced | null {
  const { book, gpus, rates } = offer
  const parts = partsAt(shareBelow(price, { book, gpus }), rates)
  const back = rates.return_rate?.value
  if (!parts || !back) return null
  const odds = parts.map(
    ({ position, weight }) => [position, (weight * (rates.fill_rates[position]?.value ?? 0)) / back] as const,
  )
  return { worth: worthOf(price, offer), odds: new Map(odds) }
}

/** A price with multiplied odds: the part of one position, or all. */
function movingWith({ worth, odds }: Priced, position?: number): Moving {
  const all = sum(odds.values())
  const moved = position === undefined ? all : (odds.get(position) ?? 0)
  return { worth, fixed: all - moved, moved }
}

const incomeAt = (x: number, { worth, fixed, moved }: Moving): number => {
  const odds = fixed + moved * x
  return (worth * odds) / (1 + odds)
}
const gainAt = (x: number, there: Moving, here: Moving): number => incomeAt(x, there) - incomeAt(x, here)

const farthest = 1e9

/** The lowest and the highest gain while x moves through a reach around 1: at the ends, or at the extremum between. */
function endsOf({ below, above }: Reach, there: Moving, here: Moving): { low: number; high: number } {
  const [first, last] = [Math.exp(-below), Math.min(farthest, Math.exp(above))]
  const [p, q] = [Math.sqrt(there.worth * there.moved), Math.sqrt(here.worth * here.moved)]
  const turn = (q * (1 + there.fixed) - p * (1 + here.fixed)) / (p * here.moved - q * there.moved)
  const gains = [first, last, ...(turn > first && turn < last ? [turn] : [])].map((x) =>
    gainAt(x, there, here),
  )
  return { low: Math.min(...gains), high: Math.max(...gains) }
}
