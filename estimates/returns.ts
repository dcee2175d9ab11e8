import type { Payback, WithInterval } from '../contract/returns.ts'

/** Sums over the machines of a class, divided by powers of their GPU-hours on the market. */
export interface IncomeSums {
  machines: number
  /** Mean income, USD per GPU-hour. */
  income: number
  squares: number
  products: number
  sizes: number
}

/** The mean income of a class per GPU and day. The 95 % interval treats it as a linearized ratio of means over machines. */
export function incomeOf({ machines, income, squares, products, sizes }: IncomeSums): WithInterval {
  const residuals = Math.max(0, squares - 2 * income * products + income * income * sizes)
  const error = studentT(machines - 1) * Math.sqrt((residuals * machines) / Math.max(1, machines - 1))
  return { value: 24 * income, low: 24 * Math.max(0, income - error), high: 24 * (income + error) }
}

/**
 * A percentile of Student's t from the one of the normal distribution, usually the 97.5th, by the expansion of Cornish and Fisher: 2.77 for 4 degrees
 * (exact: 2.78), 2.05 for 28.
 */
export function studentT(degrees: number, z = 1.959964): number {
  const n = Math.max(1, degrees)
  return (
    z +
    (z ** 3 + z) / (4 * n) +
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * n ** 2) +
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * n ** 3)
  )
}

/** Costs of a GPU. Undefined: not taken off. */
export interface ReturnCosts {
  fee?: number | undefined
  kwh_price?: number | undefined
}

/** Power of a GPU when it is rented and when it is not, in W. */
export interface Watts {
  watts_idle: number
  watts_load: number
}

/** USD a day for the power of a GPU at an occupancy. */
export const powerOf = ({ watts_idle, watts_load }: Watts, kwhPrice: number, occupancy: number): number =>
  (24 * kwhPrice * (watts_idle + (watts_load - watts_idle) * occupancy)) / 1000

/** Income less fee and power. */
export function netOf(income: WithInterval, { fee = 0 }: ReturnCosts, power: number): WithInterval {
  const after = (figure: number | null) => (figure === null ? null : figure * (1 - fee) - power)
  return { value: after(income.value), low: after(income.low), high: after(income.high) }
}

const daysOfMonth = 365 / 12
/** A payback that takes longer is none. */
const mostMonths = 240

interface PaybackInput {
  price: number | undefined
  net: WithInterval
  /** USD a day for power, which does not fall with prices. */
  power: number
  /** ln of the change of prices in 90 days; null: not known. */
  change: number | null
}

/** Months until the net income has paid for a GPU. */
export function paybackOf({ price, net, power, change }: PaybackInput): Payback {
  const none = { purchase_price: price ?? null, months: null, low: null, high: null, falling: null }
  if (price === undefined) return { ...none, reason: 'no_purchase_price' }
  if (net.value === null) return { ...none, reason: 'no_income' }
  const monthsAt = (daily: number | null) => {
    if (daily === null || daily <= 0) return null
    const months = price / (daily * daysOfMonth)
    return months <= mostMonths ? months : null
  }
  const months = monthsAt(net.value)
  return {
    purchase_price: price,
    months,
    low: monthsAt(net.high),
    high: monthsAt(net.low),
    falling:
      change !== null && change < 0 ? monthsWhenFalling({ price, net: net.value, power, change }) : null,
    reason: months === null ? 'never' : null,
  }
}

/** Net income of some months, USD, with prices that change by `change` in 90 days: income falls, power stays. */
export function earnedAfter(
  months: number,
  { net, power, change }: { net: number; power: number; change: number },
): number {
  const rate = change / 90
  const days = months * daysOfMonth
  const priced = rate === 0 ? days : Math.expm1(rate * days) / rate
  return (net + power) * priced - power * days
}

function monthsWhenFalling(input: {
  price: number
  net: number
  power: number
  change: number
}): number | null {
  // The sum rises until the income of a day is down to the power, and falls from then on.
  const rate = input.change / 90
  const gross = input.net + input.power
  const best =
    input.power > 0 && gross > input.power ? Math.log(input.power / gross) / rate / daysOfMonth : mostMonths
  let [low, high] = [0, Math.min(mostMonths, Math.max(0, best))]
  if (earnedAfter(high, input) < input.price) return null
  for (let round = 0; round < 60; round += 1) {
    const middle = (low + high) / 2
    if (earnedAfter(middle, input) < input.price) low = middle
    else high = middle
  }
  return high
}

/** The points that no other has a higher score for the same price or less, by price. */
export function efficientLine<Point extends { price: number; score: number }>(
  points: readonly Point[],
): Point[] {
  let best = 0
  return points
    .toSorted((a, b) => a.price - b.price || b.score - a.score)
    .filter(({ score }) => {
      if (score <= best) return false
      best = score
      return true
    })
}
