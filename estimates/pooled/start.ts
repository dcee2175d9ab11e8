import type { Margin } from '../costs.ts'
import type { Estimate } from '../fill-rate.ts'
import { adviseOnPrice, drawnMachine, type MachineFit, type PooledAdvice } from './advise.ts'
import { estimateOf, largestStep } from './decide.ts'
import { at } from './matrix.ts'
import { type RatedProspect, startsOf } from './prospects.ts'

/** A lower price after a wait without a rental. */
interface NextStep {
  after_hours: number
  price: number
}

/** The price to begin with, of a new machine, and the step after it. */
export interface StartAdvice extends PooledAdvice {
  /** null: no lower price is known. */
  step: NextStep | null
}

/** Advises on the first price of a new machine of a product. `id`: of no machine. */
export function adviseOnStart(fit: MachineFit, margin: Margin | null): StartAdvice {
  const advice = adviseOnPrice({ id: 0, price: null }, fit, margin)
  const prospects = startsOf(drawnMachine({ id: 0, price: null }, fit), fit.product.drawn, margin)
  const start = prospects.find(({ price }) => price === advice.decision.price)
  if (!start || !advice.wait) return { ...advice, step: null }
  const hours = advice.wait.long_hours
  const lower = prospects.filter(
    ({ price, isKnown }) =>
      isKnown &&
      price < start.price &&
      price >= Math.max(margin?.floor ?? 0, (1 - largestStep) * start.price),
  )
  const weights = stillFree(start, hours, fit)
  const price = lower.length === 0 ? null : mostSure(lower, weights).price
  return { ...advice, income: incomeOf(start), step: price === null ? null : { after_hours: hours, price } }
}

const incomeOf = ({ income }: RatedProspect): Estimate => estimateOf(income)

/** The probability of each draw that the machine is not rented within some hours: draws with high rates become unlikely. */
function stillFree({ fill }: RatedProspect, hours: number, { product, rig }: MachineFit): Float64Array {
  const atOnce = product.fit.atOnce[rig.gpus] ?? 1
  return fill.map((rate) => Math.exp((-rate * rig.gpus * hours) / atOnce))
}

/** The prospect with the highest lower quartile of its weighted income. */
function mostSure(prospects: readonly RatedProspect[], weights: Float64Array): RatedProspect {
  return prospects.reduce((top, one) => (quartileOf(one, weights) > quartileOf(top, weights) ? one : top))
}

function quartileOf({ income }: RatedProspect, weights: Float64Array): number {
  const order = Array.from(income.keys()).sort((one, other) => at(income, one) - at(income, other))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  let below = 0
  for (const draw of order) {
    below += at(weights, draw)
    if (below >= total / 4) return at(income, draw)
  }
  return 0
}
