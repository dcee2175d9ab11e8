import type { Margin } from './costs.ts'
import type { Estimate } from './fill-rate.ts'
import { type IncomePoint, incomeAt, incomeCurve, type Offer, pricesFor, worthOf } from './income-curve.ts'
import { gainOf } from './income-gain.ts'

// Without zod: the page imports this, too.

/**
 * The advice on a price. `keep`: it is well known that no other price would earn noticeably more. `unknown`: too little is known, and
 * `obstacle` has the reason.
 */
export type Verdict = 'raise' | 'lower' | 'keep' | 'unknown'

/** The reason why nothing is recommended. */
export type Obstacle =
  /** The income at the own price is unknown. */
  | 'no_income'
  /** The own price is not well observed. */
  | 'extrapolated'
  /** Another price may or may not earn noticeably more. */
  | 'undecided'
  /** No price is expected to earn noticeably more, but it is possible. */
  | 'unsure'
  /** A distant price earns more, but no sufficiently small step towards it surely does. */
  | 'no_step'

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
  /** Daily gain of `end_price`. */
  end_gain: Estimate | null
  /** The reason of the verdict `unknown`, and the price that it concerns. */
  obstacle: { why: Obstacle; price: number | null; gain: Estimate | null } | null
}

/** The largest recommended step. The rates were observed beside prices of other machines, not at this machine. */
export const largestStep = 0.2

/** Gains below this share of the own income do not justify a change of price. */
const noticeable = 0.05

/** A price is kept only if no other one can earn more by this share. */
const tolerable = 0.5

interface Candidate {
  price: number
  /** USD in 30 days. */
  income: Estimate
  gain: Estimate
}

/** A decision without its basis. */
type Decided = Omit<Decision, 'basis'>

const unknown = (
  why: Obstacle,
  about: { price: number | null; gain?: Estimate } = { price: null },
): Decided => ({
  verdict: 'unknown',
  price: null,
  end_price: null,
  below_floor: false,
  gain_per_day: null,
  end_gain: null,
  obstacle: { why, price: about.price, gain: about.gain ?? null },
})

/** The decision about a machine without a price on the market. */
export const noDecision: Decision = { ...unknown('no_income'), basis: 'gross' }

const highest = (candidates: readonly Candidate[], of: (candidate: Candidate) => number) =>
  candidates.reduce<Candidate | undefined>(
    (top, one) => (top === undefined || of(one) > of(top) ? one : top),
    undefined,
  )
const surest = (candidates: readonly Candidate[]) => highest(candidates, ({ income }) => income.low)

/**
 * Recommends a price by comparing the incomes of all well observed prices with the income of the own price. Both incomes use the same rates
 * in part, so the interval is computed for their difference. The price with the highest lower end of its income is recommended, in steps.
 * Less knowledge never makes a verdict better. A change is recommended only if its gain is noticeable and its lower end is above zero. With
 * wider intervals it can only become `unknown`, since a price is kept only if no gain is noticeable.
 * If power and fee are known, incomes are compared after them. All other costs are the same at every price. No price below the floor is
 * recommended, and an own price below it is always raised to the minimum bid.
 */
export function decide(own: number, offer: Offer): Decision {
  const { margin } = offer
  const decided = margin && own < margin.floor ? toMinimum(own, margin, offer) : compare(own, offer)
  return { ...decided, basis: margin ? 'net' : 'gross' }
}

/**
 * The raise to the minimum bid, at which an hour rented costs as much as an hour idle. A day gains at least the loss of the rented hours at
 * the own price.
 */
function toMinimum(own: number, { minimum_bid: price }: Margin, offer: Offer): Decided {
  const [here] = incomeCurve([own], offer).map(leftOf(offer))
  const lost = here?.income ?? null
  const saved = lost && { value: -lost.value / 30, low: -lost.high / 30, high: -lost.low / 30 }
  const gains = { gain_per_day: saved, end_gain: saved }
  return { verdict: 'raise', price, end_price: price, below_floor: true, ...gains, obstacle: null }
}

function compare(own: number, offer: Offer): Decided {
  const [here] = incomeCurve([own], offer).map(leftOf(offer))
  const observed = wellObserved(own, offer).filter(({ price }) => price !== own)
  const dearest = observed.at(-1)?.price ?? null
  if (!here?.income) return unknown('no_income', { price: dearest })
  const income = here.income.value / 30
  const candidates = observed.flatMap(({ price, income: its }): Candidate[] => {
    const gain = gainOf({ from: own, to: price }, offer)
    return gain && its ? [{ price, income: its, gain }] : []
  })
  const better = candidates.filter(({ gain }) => gain.value > noticeable * income)
  const sure = better.filter(isSure(here.income))
  if (sure.length > 0) return stepAmong(sure, own)
  if (here.extrapolated) return unknown('extrapolated', { price: dearest })
  if (better.length > 0)
    return unknown(
      'undecided',
      highest(better, ({ gain }) => gain.value),
    )
  const riskiest = highest(candidates, ({ gain }) => gain.high)
  if (!riskiest || riskiest.gain.high > tolerable * income) return unknown('unsure', riskiest)
  const nothing = { value: 0, low: 0, high: 0 }
  return {
    verdict: 'keep',
    price: own,
    end_price: own,
    gain_per_day: nothing,
    end_gain: nothing,
    below_floor: false,
    obstacle: null,
  }
}

/**
 * The starting price of GPUs without a price: the well observed price from the floor on with the highest lower end of its net income. Null:
 * there is none.
 */
export const startingPrice = (usual: number, offer: Offer): number | null =>
  wellObserved(usual, offer).reduce<{ price: number; low: number } | null>(
    (top, { price, income }) =>
      income && (top === null || income.low > top.low) ? { price, low: income.low } : top,
    null,
  )?.price ?? null

/** The well observed prices, from the floor on. */
const wellObserved = (near: number, offer: Offer) =>
  incomeCurve(pricesFor(near, offer.gpus, offer.book), offer)
    .filter(
      ({ price, extrapolated, income }) => income && !extrapolated && price >= (offer.margin?.floor ?? 0),
    )
    .map(leftOf(offer))

/** Income after power and fee. */
const leftOf =
  (offer: Offer) =>
  (point: IncomePoint): IncomePoint => ({
    ...point,
    income: point.occupancy && incomeAt(worthOf(point.price, offer), offer.gpus, point.occupancy),
  })

const isSure =
  (own: Estimate) =>
  ({ gain, income }: Candidate): boolean =>
    gain.low > 0 && income.low >= own.low

/** Selects the best of the sure prices within one step, and the best of all in this direction. */
function stepAmong(sure: readonly Candidate[], own: number): Decided {
  const step = surest(sure.filter(({ price }) => Math.abs(price / own - 1) <= largestStep + 1e-9))
  const end = step && surest(sure.filter(({ price }) => price > own === step.price > own))
  if (!step || !end) return unknown('no_step', surest(sure))
  return {
    verdict: step.price > own ? 'raise' : 'lower',
    price: step.price,
    end_price: end.price,
    gain_per_day: step.gain,
    end_gain: end.gain,
    below_floor: false,
    obstacle: null,
  }
}
