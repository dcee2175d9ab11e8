import type { Grade } from '../../contract/advice-kinds.ts'
import type { Margin } from '../costs.ts'
import type { Estimate } from '../fill-rate.ts'
import type { Books } from './books.ts'
import { type Decision, decide, estimateOf, startDecision, startingPrice } from './decide.ts'
import { drawNormals, type Uniform } from './draws.ts'
import type { PooledRig } from './effects.ts'
import type { Fit, MachineEffect } from './fit.ts'
import type { Machine, ProductDraws } from './incomes.ts'
import { drawRates, type SharedDraws } from './machine-rates.ts'
import { addTimes } from './matrix.ts'
import { drawProduct } from './product.ts'
import { prospectsOf, type RatedProspect, startsOf } from './prospects.ts'
import { type Trial, trialOf, type Wait, waitOf } from './wait.ts'

/** Contracts that make rentals of a product, or of a machine, its source. */
const fewestContracts = 5

/** The fit of a market without its machines, and its age. */
export interface MarketFit extends Omit<Fit, 'machines'> {
  /** Days of counts. */
  days: number
  /** The standard deviation of how far prices move in the next days, as ln. */
  move: number
  /** Intervals of gains are wider by this factor, because the market may not have the form of the model. */
  doubt: number
  /** GPUs that are rented at once, by the size of the rig. */
  atOnce: Readonly<Record<number, number>>
}

/** A product of a fitted market. */
export interface KnownProduct {
  fit: MarketFit
  drawn: ProductDraws
  shared: SharedDraws
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
  {
    books,
    contracts,
    shared,
    uniform,
  }: { books: Books; contracts: number; shared: SharedDraws; uniform: Uniform },
): KnownProduct {
  const drawn = drawProduct(books, { move: fit.move, moves: shared.moves, uniform })
  return { fit, drawn, shared, contracts }
}

/** A machine of a fitted market. */
export interface MachineFit {
  product: KnownProduct
  rig: PooledRig
  /** Undefined: the fit has no counts of the machine. */
  own: KnownMachine | undefined
  /** Draws numbers of this machine alone. */
  uniform: () => Uniform
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
  /** Draws of the daily income at its price, and of the gain at another advised price; null: there is none. */
  draws: { income: Float64Array; gains: Float64Array | null } | null
}

/** A machine with draws of its rates. Without a price, it is at the median of its product. */
export function drawnMachine(
  { id, price }: { id: number; price: number | null },
  { product: { fit, drawn, shared }, rig, own, uniform }: MachineFit,
): Machine {
  const random = uniform()
  const [luck, slopes] = [drawNormals(random), drawNormals(random)]
  return {
    id,
    gpus: rig.gpus,
    price: price ?? Math.exp(drawn.median) * drawn.share,
    draws: drawRates(shared, fit, { rig, own, luck }),
    slopes,
  }
}

/** Advises on the price of a machine, or on the price to begin with. */
export function adviseOnPrice(
  asked: { id: number; price: number | null },
  known: MachineFit,
  margin: Margin | null,
): PooledAdvice {
  const { product, rig, own } = known
  const { fit, drawn } = product
  const machine = drawnMachine(asked, known)
  const grade = gradeOf(own?.contracts ?? 0, product.contracts)
  const waitAt = (prospect: RatedProspect | undefined) =>
    prospect ? waitOf(prospect.fill, { gpus: rig.gpus, atOnce: fit.atOnce[rig.gpus] ?? 1 }) : null
  if (asked.price === null) {
    const others = startsOf(machine, drawn, margin)
    const start = startingPrice({ others, margin })
    const wait = waitAt(others.find((one) => one === start))
    const nothing = { income: null, wait_now: null, trial: null, draws: null }
    return { decision: startDecision(start, margin), grade, wait, ...nothing }
  }
  const prospects = prospectsOf(machine, drawn, margin)
  const decision = decide(prospects, fit.doubt)
  const wait_now = waitAt(prospects.own)
  const other = prospects.others.find((one) => one.price === decision.price)
  const wait = other ? waitAt(other) : wait_now
  const trial = decision.verdict === 'try' && wait ? trialOf(wait, decision.gain_per_day) : null
  const here = prospects.own.income
  const draws = { income: here, gains: gainsOf(decision, here, other?.income) }
  return { decision, grade, income: estimateOf(here), wait, wait_now, trial, draws }
}

/** Draws of the gain of a decision. Below the floor it is what the rented hours lose. */
function gainsOf(
  { below_floor }: Decision,
  here: Float64Array,
  there: Float64Array | undefined,
): Float64Array | null {
  if (below_floor) return here.map((income) => -income)
  if (!there) return null
  const gains = Float64Array.from(there)
  addTimes(gains, here, -1)
  return gains
}

function gradeOf(ofMachine: number, ofProduct: number): Grade {
  if (ofMachine >= fewestContracts) return 'own_results'
  return ofProduct >= fewestContracts ? 'class' : 'first_snapshot'
}
