import { Big } from 'big.js'
import { type CostField, type Costs, costFields } from '../contract/cost-fields.ts'
import { recordOf } from '../contract/records.ts'
import { assumedWatts } from './board-power.ts'
import type { Estimate } from './fill-rate.ts'

// Without zod: the page imports this, too.

/** Decimals, exact but for division, which goes on for 40 places. */
const Exact = Big()
Exact.DP = 40
Exact.RM = Exact.roundUp
Exact.NE = -40

/** The costs of a machine that figures are computed with. */
export interface KnownCosts {
  values: Costs
  /** Not entered, but assumed from the GPU type. */
  assumed: CostField[]
  /** Left out of every figure. */
  unknown: CostField[]
}

/** GPUs on offer at a price, USD per GPU-hour. */
interface Asked {
  price: number
  gpus: number
}

/** What is left of a price after the costs of an hour rented. */
export interface Margin {
  /** The share of the price that the marketplace leaves. */
  kept: number
  /** USD for the power that a GPU takes more when it is rented, an hour. */
  power: number
  /** The price at which nothing is left, rounded up to the nine decimals of a price, and to the cent. */
  floor: number
  minimum_bid: number
}

/** Both ends and the value of some days; null: never. */
export interface Days {
  value: number | null
  low: number | null
  high: number | null
}

/** The costs of a machine: its own, else those of the account; its watts else from its GPU type. */
export function costsOf(
  account: Costs | undefined,
  own: Costs | undefined,
  { gpu_name, num_gpus }: { gpu_name: string; num_gpus: number },
): KnownCosts {
  const entered = (field: CostField) => own?.[field] ?? account?.[field] ?? null
  // Watts are entered both or not at all.
  const watts = entered('watts_load') === null ? assumedWatts(gpu_name, num_gpus) : null
  const values = recordOf(costFields, entered)
  return {
    values: { ...values, ...watts },
    assumed: watts ? ['watts_idle', 'watts_load'] : [],
    unknown: costFields.filter((field) => values[field] === null && !(watts && field in watts)),
  }
}

/** Whether anything of the costs was entered. */
export const isEntered = ({ values, assumed }: KnownCosts): boolean =>
  costFields.some((field) => values[field] !== null && !assumed.includes(field))

const hours = 24
const daysOfAYear = 365

const kept = ({ fee_percent }: Costs) => new Exact(100).minus(fee_percent ?? 0).div(100)

/** USD a day for some watts, or 0 where the price of power is not known. */
const powerOf = ({ kwh_price, watts_idle, watts_load }: Costs) => {
  const aWatt = new Exact(kwh_price ?? 0).times(hours).div(1000)
  const idle = aWatt.times(watts_idle ?? 0)
  return { idle, rented: aWatt.times(watts_load ?? 0).minus(idle) }
}

/** USD a day that do not depend on rentals and power, with the purchase price spread over its months or without it. One division only. */
function fixedOf({ other_per_month, purchase_price, months }: Costs, withPurchase: boolean) {
  const span = new Exact(withPurchase ? (months ?? 1) : 1)
  const spread = withPurchase && months !== null ? (purchase_price ?? 0) : 0
  return span
    .times(other_per_month ?? 0)
    .plus(spread)
    .times(12)
    .div(span.times(daysOfAYear))
}

const earnedBy = ({ price, gpus }: Asked, occupancy: number, costs: Costs) =>
  new Exact(price).times(gpus).times(hours).times(occupancy).times(kept(costs))

/** USD a day after power and fee, at an occupancy. */
function leftAt(asked: Asked, occupancy: number, costs: Costs) {
  const { idle, rented } = powerOf(costs)
  return earnedBy(asked, occupancy, costs).minus(idle).minus(rented.times(occupancy))
}

/** To the cent, halves away from 0, and 0 without a sign. */
const cents = (value: Big): number => value.round(2, Big.roundHalfUp).toNumber() + 0

/** A figure at each end of an occupancy, the lowest first. */
function between(occupancy: Estimate, at: (occupancy: number) => Big): Estimate {
  const [low, high] = [cents(at(occupancy.low)), cents(at(occupancy.high))]
  return { value: cents(at(occupancy.value)), low: Math.min(low, high), high: Math.max(low, high) }
}

/** What a day leaves after all costs that are known, in USD to the cent; null: none was entered. */
export function netADay(asked: Asked, occupancy: Estimate, known: KnownCosts): Estimate | null {
  if (!isEntered(known)) return null
  const fixed = fixedOf(known.values, true)
  return between(occupancy, (share) => leftAt(asked, share, known.values).minus(fixed))
}

/** Hours in which a machine earned something, was on the market, and went by. */
interface Spent {
  earned: number
  rentedGpuHours: number
  onlineHours: number
  hours: number
}

/** What income leaves after all costs that are known, in USD to the cent; null: none was entered. */
export function netOf(gpus: number, spent: Spent, known: KnownCosts): number | null {
  if (!isEntered(known)) return null
  const { idle, rented } = powerOf(known.values)
  const power = idle.times(spent.onlineHours).plus(rented.times(spent.rentedGpuHours).div(gpus)).div(hours)
  const fixed = fixedOf(known.values, true).times(spent.hours).div(hours)
  return cents(new Exact(spent.earned).times(kept(known.values)).minus(power).minus(fixed))
}

const needsOfMargin: readonly CostField[] = ['kwh_price', 'watts_idle', 'watts_load', 'fee_percent']

/** What is left of a price after an hour rented; null: power or fee are not known. */
export function marginOf({ values, unknown }: KnownCosts, gpus: number): Margin | null {
  if (needsOfMargin.some((field) => unknown.includes(field))) return null
  const { rented } = powerOf(values)
  const gpuHours = new Exact(gpus).times(hours)
  const floor = rented.div(kept(values).times(gpuHours))
  return {
    kept: kept(values).toNumber(),
    power: rented.div(gpuHours).toNumber(),
    floor: floor.round(9, Big.roundUp).toNumber(),
    minimum_bid: floor.round(2, Big.roundUp).toNumber(),
  }
}

/** The price at which nothing is left after costs at an occupancy, rounded up; null: it is never rented. */
export function breakEvenPrice(gpus: number, occupancy: number, { values }: KnownCosts): number | null {
  if (occupancy <= 0) return null
  const { idle, rented } = powerOf(values)
  const spent = rented.times(occupancy).plus(idle).plus(fixedOf(values, true))
  const rentedHours = new Exact(gpus).times(hours).times(occupancy)
  return spent
    .div(rentedHours.times(kept(values)))
    .round(9, Big.roundUp)
    .toNumber()
}

/** The occupancy at which nothing is left after costs at a price, rounded up; null: an hour rented leaves nothing. */
export function breakEvenOccupancy(asked: Asked, { values }: KnownCosts): number | null {
  const { idle, rented } = powerOf(values)
  const left = earnedBy(asked, 1, values).minus(rented)
  if (left.lte(0)) return null
  return idle.plus(fixedOf(values, true)).div(left).round(6, Big.roundUp).toNumber()
}

/** Whole days until the purchase price is earned; null: it is not known. */
export function paybackDays(asked: Asked, occupancy: Estimate, { values }: KnownCosts): Days | null {
  const { purchase_price } = values
  if (purchase_price === null) return null
  const other = fixedOf(values, false)
  const ofShare = (share: number) => leftAt(asked, share, values).minus(other)
  const daysOf = (aDay: Big) =>
    aDay.lte(0) ? null : new Exact(purchase_price).div(aDay).round(0, Big.roundUp).toNumber()
  const [one, two] = [ofShare(occupancy.low), ofShare(occupancy.high)]
  const [least, most] = one.lt(two) ? [one, two] : [two, one]
  return { value: daysOf(ofShare(occupancy.value)), low: daysOf(most), high: daysOf(least) }
}

/** What a day powered on earns more than one powered off; null: power or fee are not known. */
export function keepOn(asked: Asked, occupancy: Estimate, known: KnownCosts) {
  if (needsOfMargin.some((field) => known.unknown.includes(field))) return null
  const per_day = between(occupancy, (share) => leftAt(asked, share, known.values))
  const verdict =
    per_day.low > 0 ? ('yes' as const) : per_day.high < 0 ? ('no' as const) : ('unknown' as const)
  return { verdict, per_day }
}

/** What costs mean for GPUs at a price, null: not listed, with the occupancy to expect at it, null: not known. */
export function costFiguresOf(
  { price, gpus }: { price: number | null; gpus: number },
  occupancy: Estimate | null,
  known: KnownCosts,
) {
  const { floor = null, minimum_bid = null } = marginOf(known, gpus) ?? {}
  const asked = price === null || !isEntered(known) ? null : { price, gpus }
  const expected = asked && occupancy && ([asked, occupancy, known] as const)
  return {
    ...{ ...known, floor, minimum_bid },
    break_even_price: expected && breakEvenPrice(gpus, expected[1].value, known),
    break_even_occupancy: asked && breakEvenOccupancy(asked, known),
    payback_days: expected && paybackDays(...expected),
    keep_on: expected && keepOn(...expected),
  }
}
