import type { Obstacle, Verdict } from '../../contract/advice-kinds.ts'
import type { Margin } from '../costs.ts'
import type { Estimate } from '../fill-rate.ts'
import { meanOf, quantileOf } from './draws.ts'
import { addTimes } from './matrix.ts'

/** A price decision. */
export interface Decision {
  verdict: Verdict
  /** The price to ask now, the own price for `keep`; null: unknown. */
  price: number | null
  /** The price after further steps. */
  end_price: number | null
  /** `net`: compares incomes after power and fee; `gross`: before them, because they are unknown. */
  basis: 'net' | 'gross'
  /** True if the own price is below the floor. */
  below_floor: boolean
  /** Daily gain of `price` over the own price, USD (below the floor: at least); null: unknown. */
  gain_per_day: Estimate | null
  /** The probability that `price` earns more than the own price in the next days; null: no other price was compared with it. */
  chance: number | null
  /** Daily gain of `end_price`. */
  end_gain: Estimate | null
  /** The reason of the verdict `unknown`. */
  obstacle: Obstacle | null
}

/** The income of a price, as draws from its posterior. Prices of one machine share their draws. */
export interface Prospect {
  price: number
  /** True if others ask such prices, so that the rates apply. */
  isKnown: boolean
  /** Draws of the daily income after power and fee, if they are known, USD. */
  income: Float64Array
}

/** The prices that a machine may ask. */
export interface Prospects {
  own: Prospect
  /** Prices within a step of the own one. */
  others: readonly Prospect[]
  /** Prices after further steps, which take a while to compute. */
  further: () => readonly Prospect[]
  margin: Margin | null
}

/** The largest recommended step. The rates were observed beside prices of other machines, not at this machine. */
export const largestStep = 0.2

/** Gains below this share of the own income do not justify a change of price. */
const noticeable = 0.05

/** A price is kept if no other one has a chance of one in four to earn more by this share. */
const tolerable = 0.1

/** A change must earn more in this share of the draws. Most advice is surer, so on average 95 % of it is right in the next days. */
export const certainty = 0.85

type Decided = Omit<Decision, 'basis'>

/** The decision about a machine without rates: only a price below the floor is changed. */
export function noDecision(
  obstacle: Obstacle,
  { price, margin }: { price: number | null; margin: Margin | null },
): Decision {
  const isLow = margin !== null && price !== null && price < margin.floor
  return {
    ...(isLow ? raisedTo(margin.minimum_bid, null) : unknown(obstacle)),
    basis: margin ? 'net' : 'gross',
  }
}

const unknown = (obstacle: Obstacle): Decided => ({
  verdict: 'unknown',
  price: null,
  end_price: null,
  below_floor: false,
  gain_per_day: null,
  chance: null,
  end_gain: null,
  obstacle,
})

interface Candidate {
  price: number
  mean: number
  /** Sorted draws of the gain. */
  gains: Float64Array
  income: Float64Array
}

/** The mean of draws with their 95 % interval. */
export const estimateOf = (draws: Float64Array): Estimate => endsOf(draws.toSorted())

const endsOf = (sorted: Float64Array): Estimate => ({
  value: meanOf(sorted),
  low: quantileOf(sorted, 0.025),
  high: quantileOf(sorted, 0.975),
})

/**
 * Recommends a price by comparing the incomes of other prices with the income of the own price, draw by draw. A change is recommended only
 * if it earns more in 85 % of the draws and noticeably more on average; of such prices, the one with the highest lower quartile of its
 * gain. The draws contain how prices move in the next days. The posterior is shrunken, so its intervals hold for a gain that was chosen by it (Dawid 1994).
 * Less knowledge never makes a verdict surer. If power and fee are known, incomes are compared after them: all other costs are the same at
 * every price. No price below the floor is recommended, and an own price below it is always raised to the minimum bid.
 * Deviations of gains from their mean are larger by the factor `doubt`.
 */
export function decide(prospects: Prospects, doubt = 1): Decision {
  const { margin, own } = prospects
  const decided = margin && own.price < margin.floor ? toMinimum(own, margin) : compare(prospects, doubt)
  return { ...decided, basis: margin ? 'net' : 'gross' }
}

/**
 * The raise to the minimum bid, at which an hour rented costs as much as an hour idle. A day gains at least the loss of the rented hours at
 * the own price.
 */
function toMinimum(own: Prospect, { minimum_bid: price }: Margin): Decided {
  return raisedTo(price, estimateOf(own.income.map((income) => -income)))
}

const raisedTo = (price: number, saved: Estimate | null): Decided => ({
  verdict: 'raise',
  price,
  end_price: price,
  below_floor: true,
  gain_per_day: saved,
  chance: null,
  end_gain: saved,
  obstacle: null,
})

function compare({ own, others, further, margin }: Prospects, doubt: number): Decided {
  const here = estimateOf(own.income)
  const most = Math.max(here.value, 0)
  const candidatesOf = (some: readonly Prospect[]) =>
    some
      .filter(({ isKnown, price }) => isKnown && price !== own.price && price >= (margin?.floor ?? 0))
      .map((other) => candidateOf(own, other))
  const inStep = candidatesOf(others)
  if (inStep.length === 0) return unknown('no_others')
  const isSure = ({ gains, mean, income }: Candidate) =>
    mean >= noticeable * most &&
    mean - doubt * (mean - quantileOf(gains, 1 - certainty)) > 0 &&
    lowOf(income) >= here.low
  const sure = highest(inStep.filter(isSure), atLeast)
  if (sure) {
    const up = sure.price > own.price
    const beyond = [...inStep, ...candidatesOf(further())].filter(({ price }) =>
      up ? price >= sure.price : price <= sure.price,
    )
    const end = highest(beyond.filter(isSure), atLeast) ?? sure
    return changed(up ? 'raise' : 'lower', [sure, end], doubt)
  }
  const may = Math.max(...inStep.map(({ gains, mean }) => Math.max(mean, quantileOf(gains, 0.75))))
  if (may <= tolerable * most) return kept(own.price)
  const likely = highest(inStep, ({ mean }) => mean)
  return likely && likely.mean > 0 && likely.mean >= noticeable * most
    ? changed('try', [likely, likely], doubt)
    : unknown('unsure')
}

function candidateOf(own: Prospect, { price, income }: Prospect): Candidate {
  const gains = Float64Array.from(income)
  addTimes(gains, own.income, -1)
  gains.sort()
  return { price, mean: meanOf(gains), gains, income }
}

/** The lower end of some draws. */
const lowOf = (draws: Float64Array): number => quantileOf(draws.toSorted(), 0.025)

const atLeast = ({ gains }: Candidate): number => quantileOf(gains, 0.25)

const changed = (verdict: Verdict, [to, end]: [Candidate, Candidate], doubt: number): Decided => ({
  verdict,
  price: to.price,
  end_price: end.price,
  below_floor: false,
  gain_per_day: widened(endsOf(to.gains), doubt),
  chance: chanceOf(to, doubt),
  end_gain: widened(endsOf(end.gains), doubt),
  obstacle: null,
})

/** The share of the draws with a gain, whose deviations from the mean are larger by a factor. */
const chanceOf = ({ gains, mean }: Candidate, doubt: number): number =>
  gains.filter((gain) => mean + doubt * (gain - mean) > 0).length / gains.length

/** An interval that is wider by a factor. */
export const widened = ({ value, low, high }: Estimate, by: number): Estimate => ({
  value,
  low: value - by * (value - low),
  high: value + by * (high - value),
})

function kept(price: number): Decided {
  const nothing = { value: 0, low: 0, high: 0 }
  return {
    verdict: 'keep',
    price,
    end_price: price,
    below_floor: false,
    gain_per_day: nothing,
    chance: null,
    end_gain: nothing,
    obstacle: null,
  }
}

/** The price with the highest lower quartile of its income, for a machine without a price; null: no price is known. */
export const startingPrice = ({ others, margin }: Pick<Prospects, 'others' | 'margin'>): Prospect | null =>
  highest(
    others.filter(({ isKnown, price }) => isKnown && price >= (margin?.floor ?? 0)),
    ({ income }) => quantileOf(income.toSorted(), 0.25),
  ) ?? null

/** The decision about a machine without a price. */
export function startDecision(start: Prospect | null, margin: Margin | null): Decision {
  const basis = margin ? 'net' : 'gross'
  if (!start) return { ...unknown('no_others'), basis }
  const { price } = start
  return { ...unknown('no_others'), verdict: 'start', price, end_price: price, obstacle: null, basis }
}

const highest = <One>(candidates: readonly One[], of: (candidate: One) => number): One | undefined =>
  candidates.reduce<One | undefined>(
    (top, one) => (top === undefined || of(one) > of(top) ? one : top),
    undefined,
  )
