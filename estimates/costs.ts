import { Big } from 'big.js'
import { type CostField, type Costs, costFields } from '../contract/cost-fields.ts'
import { recordOf } from '../contract/records.ts'
import { assumedWatts } from './board-power.ts'
import type { Estimate } from './fill-rate.ts'
import type { HostShare } from './host-price.ts'

// Without zod: the page imports this, too.

/** Exact decimals, except for division, which is rounded after 40 places. */
const Exact = Big()
Exact.DP = 40
Exact.RM = Exact.roundUp
Exact.NE = -40

/** The costs of a machine that enter the figures. */
export interface KnownCosts {
  values: Costs
  /** Costs that were not entered, but assumed from the GPU type. */
  assumed: CostField[]
  /** Costs that are missing in every figure. */
  unknown: CostField[]
}

/** GPUs offered at a price, USD per GPU-hour. */
interface Listing {
  price: number
  gpus: number
}

/** The margin of an hour rented. */
export interface Margin {
  /** The share of the price after the marketplace's fee. */
  kept: number
  /** USD per hour for the additional power of a rented GPU. */
  power: number
  /** The break-even price of an hour rented, rounded up to the nine decimals of a price, and to the cent. */
  floor: number
  minimum_bid: number
}

/** An interval of days with its value; null: never. */
export interface Days {
  value: number | null
  low: number | null
  high: number | null
}

/**
 * The costs of a machine: its own, otherwise the account's. Missing watts are taken from its GPU type. With a share of the host, prices and incomes are the host's
 * part, so nothing is left to be subtracted as a fee.
 */
export function costsOf(
  account: Costs | undefined,
  own: Costs | undefined,
  {
    gpu_name,
    num_gpus,
    host_share,
  }: { gpu_name: string; num_gpus: number; host_share?: HostShare | null | undefined },
): KnownCosts {
  const entered = (field: CostField) =>
    field === 'fee_percent' && host_share ? 0 : (own?.[field] ?? account?.[field] ?? null)
  // Watts are entered both or not at all.
  const watts = entered('watts_load') === null ? assumedWatts(gpu_name, num_gpus) : null
  const values = recordOf(costFields, entered)
  return {
    values: { ...values, ...watts },
    assumed: watts ? ['watts_idle', 'watts_load'] : [],
    unknown: costFields.filter((field) => values[field] === null && !(watts && field in watts)),
  }
}

/** True if any cost was entered. */
export const isEntered = ({ values, assumed }: KnownCosts): boolean =>
  costFields.some((field) => values[field] !== null && !assumed.includes(field))

const hours = 24
const daysOfAYear = 365

const kept = ({ fee_percent }: Costs) => new Exact(100).minus(fee_percent ?? 0).div(100)

/** USD a day for the power, or 0 if the price of power is unknown. */
const powerOf = ({ kwh_price, watts_idle, watts_load }: Costs) => {
  const aWatt = new Exact(kwh_price ?? 0).times(hours).div(1000)
  const idle = aWatt.times(watts_idle ?? 0)
  return { idle, rented: aWatt.times(watts_load ?? 0).minus(idle) }
}

/**
 * USD a day independent of rentals and power, with or without the purchase price spread over its months. Only one division, so that it is
 * rounded once.
 */
function fixedOf({ other_per_month, purchase_price, months }: Costs, withPurchase: boolean) {
  const span = new Exact(withPurchase ? (months ?? 1) : 1)
  const spread = withPurchase && months !== null ? (purchase_price ?? 0) : 0
  return span
    .times(other_per_month ?? 0)
    .plus(spread)
    .times(12)
    .div(span.times(daysOfAYear))
}

const earnedBy = ({ price, gpus }: Listing, occupancy: number, costs: Costs) =>
  new Exact(price).times(gpus).times(hours).times(occupancy).times(kept(costs))

/** USD a day after power and fee, at an occupancy. */
function leftAt(listing: Listing, occupancy: number, costs: Costs) {
  const { idle, rented } = powerOf(costs)
  return earnedBy(listing, occupancy, costs).minus(idle).minus(rented.times(occupancy))
}

/** Rounds to the cent, halves away from 0. Adding 0 removes the sign of -0. */
const cents = (value: Big): number => value.round(2, Big.roundHalfUp).toNumber() + 0

/** A figure at both ends of an occupancy, the lower one first. */
function between(occupancy: Estimate, at: (occupancy: number) => Big): Estimate {
  const [low, high] = [cents(at(occupancy.low)), cents(at(occupancy.high))]
  return { value: cents(at(occupancy.value)), low: Math.min(low, high), high: Math.max(low, high) }
}

/** Net USD per day after all known costs, to the cent; null: no cost was entered. */
export function netADay(listing: Listing, occupancy: Estimate, known: KnownCosts): Estimate | null {
  if (!isEntered(known)) return null
  const fixed = fixedOf(known.values, true)
  return between(occupancy, (share) => leftAt(listing, share, known.values).minus(fixed))
}

/**
 * The known costs as factors: the share of the income that is left after the fee, USD per hour on the market, and additional USD per rented
 * GPU-hour.
 */
export function hourlyCosts({ values }: KnownCosts, gpus: number) {
  const { idle, rented } = powerOf(values)
  return {
    kept: kept(values).toNumber(),
    online: idle.plus(fixedOf(values, true)).div(hours).toNumber(),
    rented: rented.div(hours).div(gpus).toNumber(),
  }
}

/** Hours in which a machine earned, hours in which it was on the market, and all hours. */
interface Spent {
  earned: number
  rentedGpuHours: number
  onlineHours: number
  hours: number
}

/** Net income after all known costs, in USD to the cent; null: no cost was entered. */
export function netOf(gpus: number, spent: Spent, known: KnownCosts): number | null {
  if (!isEntered(known)) return null
  const { idle, rented } = powerOf(known.values)
  const power = idle.times(spent.onlineHours).plus(rented.times(spent.rentedGpuHours).div(gpus)).div(hours)
  const fixed = fixedOf(known.values, true).times(spent.hours).div(hours)
  return cents(new Exact(spent.earned).times(kept(known.values)).minus(power).minus(fixed))
}

const needsOfMargin: readonly CostField[] = ['kwh_price', 'watts_idle', 'watts_load', 'fee_percent']

/** The margin of an hour rented; null: power or fee is unknown. */
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

/** The break-even price after costs at an occupancy, rounded up; null: the machine is never rented. */
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

/** The break-even occupancy at a price, rounded up; null: an hour rented has no margin. */
export function breakEvenOccupancy(listing: Listing, { values }: KnownCosts): number | null {
  const { idle, rented } = powerOf(values)
  const left = earnedBy(listing, 1, values).minus(rented)
  if (left.lte(0)) return null
  return idle.plus(fixedOf(values, true)).div(left).round(6, Big.roundUp).toNumber()
}

/** Whole days until income covers the purchase price; null: the purchase price is unknown. */
export function paybackDays(listing: Listing, occupancy: Estimate, { values }: KnownCosts): Days | null {
  const { purchase_price } = values
  if (purchase_price === null) return null
  const other = fixedOf(values, false)
  const ofShare = (share: number) => leftAt(listing, share, values).minus(other)
  const daysOf = (aDay: Big) =>
    aDay.lte(0) ? null : new Exact(purchase_price).div(aDay).round(0, Big.roundUp).toNumber()
  const [one, two] = [ofShare(occupancy.low), ofShare(occupancy.high)]
  const [least, most] = one.lt(two) ? [one, two] : [two, one]
  return { value: daysOf(ofShare(occupancy.value)), low: daysOf(most), high: daysOf(least) }
}

/** The additional income of a day powered on compared with one powered off; null: power or fee is unknown. */
export function keepOn(listing: Listing, occupancy: Estimate, known: KnownCosts) {
  if (needsOfMargin.some((field) => known.unknown.includes(field))) return null
  const per_day = between(occupancy, (share) => leftAt(listing, share, known.values))
  const verdict =
    per_day.low > 0 ? ('yes' as const) : per_day.high < 0 ? ('no' as const) : ('unknown' as const)
  return { verdict, per_day }
}

/** Figures about costs for GPUs at a price (null: not listed) and the expected occupancy at it (null: unknown). */
export function costFiguresOf(
  { price, gpus }: { price: number | null; gpus: number },
  occupancy: Estimate | null,
  known: KnownCosts,
) {
  const { floor = null, minimum_bid = null } = marginOf(known, gpus) ?? {}
  const listing = price === null || !isEntered(known) ? null : { price, gpus }
  const expected = listing && occupancy && ([listing, occupancy, known] as const)
  return {
    ...known,
    floor,
    minimum_bid,
    break_even_price: expected && breakEvenPrice(gpus, expected[1].value, known),
    break_even_occupancy: listing && breakEvenOccupancy(listing, known),
    payback_days: expected && paybackDays(...expected),
    keep_on: expected && keepOn(...expected),
  }
}
