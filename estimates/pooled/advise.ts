import type { Grade } from '../../contract/advice-kinds.ts'
import type { Margin } from '../costs.ts'
import type { Estimate } from '../fill-rate.ts'
import type { Books } from './books.ts'
import { type Decision, decide, estimateOf, startDecision, startingPrice } from './decide.ts'
import { type CommonDraws, drawCommon, type Uniform } from './draws.ts'
import type { PooledRig } from './effects.ts'
import type { Fit, MachineEffect } from './fit.ts'
import type { ProductDraws } from './incomes.ts'
import { dimensions, drawsOf, ratesOf } from './machine-rates.ts'
import { drawProduct } from './product.ts'
import { prospectsOf, type RatedProspect, startsOf } from './prospects.ts'
import { type Trial, trialOf, type Wait, waitOf } from './wait.ts'

/** Contracts that make rentals of a product, or of a machine, its source. */
const fewestContracts = 5

/** The fit of a market without its machines, and its age. */
export interface MarketFit extends Omit<Fit, 'machines'> {
  /** Days of counts. */
  days: number
  /** Intervals of gains are wider by this factor, because the market may not have the form of the model. */
  doubt: number
  /** GPUs that are rented at once, by the size of the rig. */
  atOnce: Readonly<Record<number, number>>
}

/** A product of a fitted market. */
export interface KnownProduct {
  fit: MarketFit
  drawn: ProductDraws
  common: CommonDraws
  /** Contracts that began in the range of the fit. */
  contracts: number
}

/** The own effect of a machine, and its contracts. */
export interface KnownMachine extends MachineEffect {
  contracts: number
}

/** Draws what all machines of a product share. */
export function knownProduct(
  fit: MarketFit,
  { books, contracts, uniform }: { books: Books; contracts: number; uniform: Uniform },
): KnownProduct {
  const common = drawCommon(uniform, dimensions)
  return { fit, drawn: drawProduct(books, { days: fit.days, common, uniform }), common, contracts }
}

/** A machine of a fitted market. */
export interface MachineFit {
  product: KnownProduct
  rig: PooledRig
  /** Undefined: the fit has no counts of the machine. */
  own: KnownMachine | undefined
}

/** The advice on a machine's price, with its source. */
export interface PooledAdvice {
  decision: Decision
  grade: Grade
  /** Daily income at its price, before costs unless they are known, USD; null: it has no price. */
  income: Estimate | null
  /** The wait for a rental at the advised price, or else at its own; null: no price is known. */
  wait: Wait | null
  /** The wait at its present price; null: it has no price. */
  wait_now: Wait | null
  /** The length and cost of a trial, for the verdict `try`. */
  trial: Trial | null
}

/** Advises on the price of a machine, or on the price to begin with. */
export function adviseOnPrice(
  { id, price }: { id: number; price: number | null },
  { product, rig, own }: MachineFit,
  margin: Margin | null,
): PooledAdvice {
  const { fit, drawn, common } = product
  const draws = drawsOf(ratesOf(fit, rig, own), common.normals)
  const machine = { id, gpus: rig.gpus, draws, price: price ?? Math.exp(drawn.median) * drawn.share }
  const grade = gradeOf(own?.contracts ?? 0, product.contracts)
  const waitAt = (prospect: RatedProspect | undefined) =>
    prospect ? waitOf(prospect.fill, { gpus: rig.gpus, atOnce: fit.atOnce[rig.gpus] ?? 1 }) : null
  if (price === null) {
    const others = startsOf(machine, drawn, margin)
    const start = startingPrice({ others, margin })
    const wait = waitAt(others.find((one) => one === start))
    return { decision: startDecision(start, margin), grade, income: null, wait, wait_now: null, trial: null }
  }
  const prospects = prospectsOf(machine, drawn, margin)
  const decision = decide(prospects, fit.doubt)
  const wait_now = waitAt(prospects.own)
  const other = prospects.others.find((one) => one.price === decision.price)
  const wait = other ? waitAt(other) : wait_now
  const trial = decision.verdict === 'try' && wait ? trialOf(wait, decision.gain_per_day) : null
  return { decision, grade, income: estimateOf(prospects.own.income), wait, wait_now, trial }
}

function gradeOf(ofMachine: number, ofProduct: number): Grade {
  if (ofMachine >= fewestContracts) return 'own_results'
  return ofProduct >= fewestContracts ? 'class' : 'first_snapshot'
}
