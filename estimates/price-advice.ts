import type { Margin } from './costs.ts'
import type { Estimate } from './fill-rate.ts'
import { type IncomePoint, incomeAt, incomeCurve, type Offer, pricesFor, worthOf } from './income-curve.ts'
import { gainOf } from './income-gain.ts'

// Without zod: the page imports this, too.

/**
 * What to do with a price. `keep`: no price is expected to earn noticeably more, and that is known well. `unknown`: too little is known to
 * say, and `why` says of what.
 */
export type Verdict = 'raise' | 'lower' | 'keep' | 'unknown'

/** Why nothing is recommended. */
export type Obstacle =
  /** There is no income at the own price. */
  | 'no_income'
  /** The own price is not a well observed one. */
  | 'extrapolated'
  /** Another price may earn noticeably more, or may not. */
  | 'undecided'
  /** No price is expected to earn noticeably more, but some may. */
  | 'unsure'
  /** A price farther away earns more, but no step to it that is small enough is known to. */
  | 'no_step'

/** What to do with a price. */
export interface Decision {
  verdict: Verdict
  /** What to ask now: the own price to keep it; null: not known. */
  price: number | null
  /** After further steps. */
  end_price: number | null
  /** `net`: compares incomes after power and fee; `gross`: before, as these are not known. */
  basis: 'net' | 'gross'
  /** Whether the own price is below the floor. */
  below_floor: boolean
  /** What a day earns more at `price` than at the own one, USD; below the floor at least that, null: not known. */
  gain_per_day: Estimate | null
  /** The same at `end_price`. */
  end_gain: Estimate | null
  /** Why the verdict is `unknown`, and the price that this is about. */
  obstacle: { why: Obstacle; price: number | null; gain: Estimate | null } | null
}

/** A price may change by so much at once: the rates were observed beside prices that others asked, not at this machine. */
export const largestStep = 0.2

/** A gain below this share of the own income is nothing that a host should change a price for. */
const noticeable = 0.05

/** To keep a price is right when no other may earn more than it by this share. */
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
  ...{
    verdict: 'unknown',
    price: null,
    end_price: null,
    below_floor: false,
    gain_per_day: null,
    end_gain: null,
  },
  obstacle: { why, price: about.price, gain: about.gain ?? null },
})

/** Of a machine without a price on the market. */
export const noDecision: Decision = { ...unknown('no_income'), basis: 'gross' }

const highest = (candidates: readonly Candidate[], of: (candidate: Candidate) => number) =>
  candidates.reduce<Candidate | undefined>(
    (top, one) => (top === undefined || of(one) > of(top) ? one : top),
    undefined,
  )
const surest = (candidates: readonly Candidate[]) => highest(candidates, ({ income }) => income.low)

/**
 * What to do with a price: it compares the incomes of all well observed prices with that of the own one. The two incomes rest on the same
 * rates in part, so the interval is that of their difference. The price with the highest lower end of its income is recommended, in steps.
 *
 * Less knowledge never makes a verdict better. A change is advised where its gain is noticeable and above zero at its lower end; with
 * wider intervals it can only become `unknown`, since a price is kept only where no gain is noticeable.
 *
 * Where power and fee are known, incomes are compared after them. All other costs are the same at every price. No price below the floor is
 * recommended, and one that is asked is raised to the minimum bid whatever is known.
 */
export function decide(own: number, offer: Offer): Decision {
  const { margin } = offer
  const decided = margin && own < margin.floor ? toMinimum(own, margin, offer) : compare(own, offer)
  return { ...decided, basis: margin ? 'net' : 'gross' }
}

/** The minimum bid, at which an hour rented costs no more than an hour idle: a day saves at least what rented hours lose at the own price. */
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
    ...{ verdict: 'keep', price: own, end_price: own, gain_per_day: nothing, end_gain: nothing },
    ...{ below_floor: false, obstacle: null },
  }
}

/**
 * The price to begin with for GPUs that have none yet: of the well observed ones from the floor on, that with the highest lower end of what is
 * left of its income. Null: there is none.
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

/** What power and fee leave of the income. */
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

/** The best of the sure prices that one step reaches, and the best of all in this direction. */
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
