import type { Estimate } from './fill-rate.ts'
import { type Offer, partsAt, shareBelow, worthOf } from './income-curve.ts'

// Without zod: the page imports this, too.

/** What a rented hour is worth, and the odds of being rented: the fill rate ÷ the return rate, as the parts that the positions have in it. */
interface Priced {
  worth: number
  odds: ReadonlyMap<number, number>
}

/** The income of a price while something that its odds rest on is multiplied: with x, the odds are `fixed` + `moved` × x. */
interface Moving {
  worth: number
  fixed: number
  moved: number
}

/** How far something may lie below and above its value, as logarithms. */
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
/** Of something that is divided by. */
const inverse = ({ below, above }: Reach): Reach => ({ below: above, above: below })
const added = (one: Reach, other: Reach): Reach => ({
  below: Math.hypot(one.below, other.below),
  above: Math.hypot(one.above, other.above),
})
/** What is left of a reach without a part of it. */
const without = (whole: Reach, part: Reach): Reach => ({
  below: Math.sqrt(Math.max(0, whole.below ** 2 - part.below ** 2)),
  above: Math.sqrt(Math.max(0, whole.above ** 2 - part.above ** 2)),
})

/**
 * What a day earns more at one price than at another, in USD, with the 95 % interval of the difference; null: not known. Where costs are known,
 * it is what is left of it. An hour rented must leave something at both prices. Both incomes rest on
 * the same return rate, on the same factor of all fill rates, and in part on the rates of the same positions. So each of these is moved through
 * its own interval in both incomes at once, and the distances that this makes are added as squares (MOVER, Zou and Donner 2008).
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

/** A price whose odds are multiplied: the part of one position, or all. */
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

/** The lowest and the highest gain while x goes through a reach around 1: at its ends, or where the gain turns. */
function endsOf({ below, above }: Reach, there: Moving, here: Moving): { low: number; high: number } {
  const [first, last] = [Math.exp(-below), Math.min(farthest, Math.exp(above))]
  const [p, q] = [Math.sqrt(there.worth * there.moved), Math.sqrt(here.worth * here.moved)]
  const turn = (q * (1 + there.fixed) - p * (1 + here.fixed)) / (p * here.moved - q * there.moved)
  const gains = [first, last, ...(turn > first && turn < last ? [turn] : [])].map((x) =>
    gainAt(x, there, here),
  )
  return { low: Math.min(...gains), high: Math.max(...gains) }
}
