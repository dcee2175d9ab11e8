import type { GpuDepth } from '../../contract/depth.ts'
import type { GpuFill } from '../../contract/fill.ts'
import {
  type Ask,
  type BestPrice,
  bestPrice,
  bookOfOthers,
  chanceWithin,
  type Estimate,
  gpusOf,
  highestKnown,
  hoursToRent,
  type IncomePoint,
  incomeCurve,
  positions,
  pricesFor,
  type Rates,
} from '../../contract/fill-rate.ts'
import type { OwnFigures } from '../../contract/machines.ts'
import type { OwnMachine } from '../api/queries.ts'
import type { Value } from '../charts/spec.ts'

/** What is priced, and what is known of the machines like it. */
export interface Offer {
  gpus: number
  /** What others offer, cheapest first: on average of the days of the book, and now. */
  book: readonly Ask[]
  now: readonly Ask[]
  /** What happened to machines like it. */
  fill: GpuFill
  rates: Rates
}

/** Why there is no estimate; null: there is one. */
export type Reason = OwnFigures['reason']

/** What to expect at a price. */
export interface Outlook extends IncomePoint {
  /** Available GPUs of others that cost less, and all of them, now. */
  cheaper: number
  others: number
  /** Mean hours until a GPU is rented, and the chance that it is within a day; null: not known. */
  hours: Value
  withinDay: Value
  /** What was counted at its position in seven days. */
  rentals: number
  exposure: number
  reason: Reason
}

/** What others than the machine offer now, if there is one. */
export function othersNow(machine: OwnMachine | undefined, depth: GpuDepth): Ask[] {
  const own = machine?.figures?.price_history.price.at(-1)
  const offered =
    machine && own !== undefined ? [{ price: own, gpus: machine.num_gpus - machine.rented_gpus }] : []
  return bookOfOthers(asksOf(depth), offered)
}

/** What others than the machine offered on average. */
export const othersOnAverage = (machine: OwnMachine | undefined, mean: GpuDepth): Ask[] =>
  bookOfOthers(asksOf(mean), machine?.figures ? asksOf(machine.figures.offered) : [])

const asksOf = ({ price, available }: Pick<GpuDepth, 'price' | 'available'>): Ask[] =>
  price.map((at, index) => ({ price: at, gpus: available[index] ?? 0 }))

interface MaybeEstimate {
  value: Value
  low: Value
  high: Value
}

const known = ({ value, low, high }: MaybeEstimate): Estimate | null =>
  value === null || low === null || high === null ? null : { value, low, high }

/** The rates of an own machine, which the API knows, or else those of a class of machines. */
export function ratesOf(machine: OwnMachine | undefined, fill: GpuFill): Rates {
  if (machine?.figures?.class) return machine.figures
  const fill_rates = Array.from({ length: positions }, (_, position) => {
    const at = fill.positions.find((one) => one.position === position)
    return at ? known(at.fill_rate) : null
  })
  return { fill_rates, return_rate: known(fill.return_rate) }
}

function whyUnknown({ price, position, income }: IncomePoint, { gpus, book, fill }: Offer): Reason {
  if (income) return null
  if (price > highestKnown(book, gpus)) return 'few_as_dear'
  const here = fill.positions.find((one) => one.position === position)
  return here ? (here.reason ?? 'no_returns') : 'little_exposure'
}

export function outlookAt(price: number, offer: Offer): Outlook {
  const [point] = incomeCurve([price], offer)
  if (!point) throw new Error('a curve has a point for each price')
  const here = offer.fill.positions.find(({ position }) => position === point.position)
  return {
    ...point,
    cheaper: gpusOf(offer.now.filter((ask) => ask.price < price)),
    others: gpusOf(offer.now),
    hours: point.fill_rate && hoursToRent(point.fill_rate),
    withinDay: point.fill_rate && chanceWithin(point.fill_rate, 24),
    rentals: here?.rentals ?? 0,
    exposure: here?.exposure_gpu_hours ?? 0,
    reason: whyUnknown(point, offer),
  }
}

/** The prices around one, as the API has them. */
export const curveAround = (price: number, offer: Offer): IncomePoint[] =>
  incomeCurve(pricesFor(price, offer.gpus, offer.book), offer)

/**
 * The best price of a curve. `from` and `to` are those beside it whose intervals reach its income, without a hole between them: farther away
 * other prices may reach it again.
 */
export function bestOf(curve: readonly IncomePoint[]): BestPrice | null {
  const best = bestPrice(curve)
  if (!best) return null
  const at = curve.findIndex(({ price }) => price === best.price)
  const reaches = (index: number) => (curve[index]?.income?.high ?? 0) >= best.income.value
  let [first, last] = [at, at]
  while (reaches(first - 1)) first -= 1
  while (reaches(last + 1)) last += 1
  return { ...best, from: curve[first]?.price ?? best.price, to: curve[last]?.price ?? best.price }
}

/** The price of a curve whose interval of the income begins highest; null: no income is known. */
export function safestOf(curve: readonly IncomePoint[]): Value {
  const [first, ...others] = curve.flatMap(({ price, income }) =>
    income ? [{ price, low: income.low }] : [],
  )
  return first ? others.reduce((top, one) => (one.low > top.low ? one : top), first).price : null
}

export const perDay = ({ value, low, high }: Estimate): Estimate => ({
  value: value / 30,
  low: low / 30,
  high: high / 30,
})

/** The price at which half of some GPUs are at or below; null: there are none. */
export function medianOf(prices: readonly number[], gpus: readonly number[]): Value {
  const all = gpus.reduce((sum, count) => sum + count, 0)
  let below = 0
  for (const [index, price] of prices.entries()) {
    below += gpus[index] ?? 0
    if (all > 0 && below * 2 >= all) return price
  }
  return null
}

/** How a price compares with the best one. */
export type Judgement = 'good' | 'dear' | 'cheap' | 'unknown'

/** A price whose interval reaches the best income is not known to be worse. */
export function judge(
  price: number | null,
  income: Estimate | null,
  best: { price: number; income: Estimate | null } | null,
): Judgement {
  if (price === null || !income || !best?.income) return 'unknown'
  if (income.high >= best.income.value) return 'good'
  return price > best.price ? 'dear' : 'cheap'
}
