import type { GpuDepth } from '../../contract/depth.ts'
import type { GpuFill } from '../../contract/fill.ts'
import type { OwnFigures } from '../../contract/machines.ts'
import { type KnownCosts, type Margin, netADay } from '../../estimates/costs.ts'
import { certain, chanceWithin, type Estimate, hoursToRent, positions } from '../../estimates/fill-rate.ts'
import { hostPart } from '../../estimates/host-price.ts'
import {
  type Ask,
  bookOfOthers,
  gpusOf,
  highestKnown,
  type IncomePoint,
  incomeCurve,
  type Rates,
} from '../../estimates/income-curve.ts'
import type { OwnMachine } from '../api/queries.ts'
import type { Value } from '../charts/spec.ts'

/** The priced machine or class, and the data about similar machines. */
export interface DeskOffer {
  gpus: number
  /** The offers of others, cheapest first: on average over the days of the mean book, and now. */
  book: readonly Ask[]
  now: readonly Ask[]
  /** The rentals of similar machines. */
  fill: GpuFill
  rates: Rates
  costs: KnownCosts
  /** The share of a price that is left after costs; null: power price or fee are unknown. */
  margin: Margin | null
}

/** The reason for a missing estimate; null: there is an estimate. */
export type Reason = OwnFigures['reason']

/** The expected results at a price. */
export interface Outlook extends IncomePoint {
  /** The present available GPUs of others: the number that cost less, and the total. */
  cheaper: number
  others: number
  /** Mean hours until a GPU is rented, and the probability of a rental within a day; null: unknown. */
  hours: Value
  withinDay: Value
  /** The number of rentals at its price position in seven days. */
  rentals: number
  exposure: number
  /** The income of a day after the known costs; null: no costs were entered, or the income is unknown. */
  net: Estimate | null
  reason: Reason
}

/** A book in the host's part of the prices, as the prices of the machine are. */
export const hostDepth = (depth: GpuDepth, machine: OwnMachine | undefined): GpuDepth => {
  const part = (price: number) => hostPart(price, machine?.host_share)
  return {
    ...depth,
    price: depth.price.map(part),
    rented: { ...depth.rented, price: depth.rented.price.map(part) },
  }
}

/** The present offers, without the offer of the machine itself. */
export function othersNow(machine: OwnMachine | undefined, depth: GpuDepth): Ask[] {
  const own = machine?.figures?.price_history.price.at(-1)
  const offered =
    machine && own !== undefined ? [{ price: own, gpus: machine.num_gpus - (machine.rented_gpus ?? 0) }] : []
  return bookOfOthers(asksOf(depth), offered)
}

/** The mean offers, without the offer of the machine itself. */
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

/** The rates of an own machine from the API, or without a machine the rates of the class. */
export function ratesOf(machine: OwnMachine | undefined, fill: GpuFill): Rates {
  if (machine?.figures?.class) return machine.figures
  const fill_rates = Array.from({ length: positions }, (_, position) => {
    const at = fill.positions.find((one) => one.position === position)
    return at ? known(at.fill_rate) : null
  })
  return { fill_rates, fill_factor: certain, return_rate: known(fill.return_rate) }
}

function whyUnknown({ price, position, income }: IncomePoint, { gpus, book, fill }: DeskOffer): Reason {
  if (income) return null
  if (price > highestKnown(book, gpus)) return 'few_as_dear'
  const here = fill.positions.find((one) => one.position === position)
  return here ? (here.reason ?? 'no_returns') : 'little_exposure'
}

export function outlookAt(price: number, offer: DeskOffer): Outlook {
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
    net: point.occupancy && netADay({ price, gpus: offer.gpus }, point.occupancy, offer.costs),
    reason: whyUnknown(point, offer),
  }
}

export const perDay = ({ value, low, high }: Estimate): Estimate => ({
  value: value / 30,
  low: low / 30,
  high: high / 30,
})

/** The median price of some GPUs; null: there are none. */
export function medianOf(prices: readonly number[], gpus: readonly number[]): Value {
  const all = gpus.reduce((sum, count) => sum + count, 0)
  let below = 0
  for (const [index, price] of prices.entries()) {
    below += gpus[index] ?? 0
    if (all > 0 && below * 2 >= all) return price
  }
  return null
}
