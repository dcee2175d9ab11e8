import { keysOf } from '../../contract/records.ts'
import { type EffectName, linearValue, type Places } from './effects.ts'
import { at, choleskyOf, inverseOf, placeAt, solved } from './matrix.ts'
import { bendsOf, penaltyOf, startOf, type Variances, varianceOf, variancesBefore } from './priors.ts'
import type { Steps } from './steps.ts'
import type { MachineTerms, Term, Terms } from './terms.ts'

/** The posterior of all effects: a normal distribution around its mode (Laplace). */
export interface Fit {
  places: Places
  effects: Float64Array
  /** Covariance of the effects, row by row. */
  covariance: Float64Array
  variances: Variances
  /** The own effects of the machines with counts. */
  machines: ReadonlyMap<number, MachineEffect>
}

/** The own effect of a machine on ln λ, given the other effects: its mean moves against them. */
export interface MachineEffect {
  mean: number
  precision: number
  /** Places of the other effects, and the information shared with each. */
  places: Int32Array
  shared: Float64Array
}

/** Sums of one step of Newton's method. */
interface Sums {
  slope: Float64Array
  /** Lower half, row by row. */
  matrix: Float64Array
}

const rounds = 20
/** Relative change of the variances that ends the fit. */
const settled = 0.02
const largestMove = 2

/**
 * Fits rental and return rates of all machines of a market at once: a ridge regression of ln λ and ln μ with penalized splines (Eilers and
 * Marx 1996), whose variances are estimated from the data (evidence, MacKay 1992). The machines' own effects are eliminated, so a system of
 * a few hundred effects is left.
 */
export function* fitPooled(terms: Terms): Steps<Fit> {
  const { places } = terms
  const effects = startOf(terms)
  const start = Float64Array.from(effects)
  const own = terms.machines.map(nothingKnown)
  let variances = variancesBefore
  let covariance: Float64Array = new Float64Array(places.size ** 2)
  for (let round = 0; round < rounds; round += 1) {
    const penalty = penaltyOf(places, variances)
    let factor = penalty
    for (let step = 0; step < (round === 0 ? 5 : 1); step += 1) {
      yield
      const sums = startSums(places, penalty, { effects, start })
      for (const term of terms.returns) addTerm(term, linearValue(term.row, effects), sums)
      for (const one of own) eliminate(one, effects, { sums, variance: variances.machine })
      factor = choleskyOf(sums.matrix, places.size)
      const moves = solved(factor, sums.slope)
      for (const one of own) moveOwn(one, moves)
      for (let place = 0; place < places.size; place += 1)
        effects[place] = at(effects, place) + clipped(at(moves, place))
    }
    yield
    covariance = inverseOf(factor, places.size)
    const next = nextVariances(variances, terms, { effects, covariance, own })
    const isSettled = changeOf(variances, next) < settled
    variances = next
    if (isSettled) break
  }
  const machines = new Map(own.map(({ of, slope: _, ...effect }) => [of.machine, effect]))
  return { places, effects, covariance, variances, machines }
}

/** The own effect of a machine during a fit. */
interface FittedMachine extends MachineEffect {
  of: MachineTerms
  slope: number
}

const nothingKnown = (of: MachineTerms): FittedMachine => ({
  of,
  mean: 0,
  precision: 1,
  slope: 0,
  places: of.places,
  shared: new Float64Array(of.places.length),
})

const clipped = (move: number): number => Math.min(largestMove, Math.max(-largestMove, move))

/** The sums of the penalty alone. */
function startSums(
  { size }: Places,
  penalty: Float64Array,
  { effects, start }: { effects: Float64Array; start: Float64Array },
): Sums {
  const slope = new Float64Array(size)
  for (let row = 0; row < size; row += 1) {
    let sum = 0
    for (let column = 0; column < size; column += 1)
      sum += at(penalty, row * size + column) * (at(effects, column) - at(start, column))
    slope[row] = -sum
  }
  return { slope, matrix: Float64Array.from(penalty) }
}

/** The distance of a count from its expectation, and the information in it. */
function scoreOf({ kind, count, weight }: Term, value: number): { off: number; information: number } {
  if (kind === 'events') {
    const expected = weight * Math.exp(Math.min(5, Math.max(-14, value)))
    return { off: count - expected, information: expected }
  }
  const share = 1 / (1 + Math.exp(-value))
  return { off: count - weight * share, information: weight * share * (1 - share) }
}

/** Adds a count with the value of its row. Returns its score. */
function addTerm(term: Term, value: number, { slope, matrix }: Sums): ReturnType<typeof scoreOf> {
  const { places, factors } = term.row
  const score = scoreOf(term, value)
  const size = slope.length
  for (let one = 0; one < places.length; one += 1) {
    const place = placeAt(places, one)
    const factor = at(factors, one)
    slope[place] = at(slope, place) + score.off * factor
    const informed = score.information * factor
    for (let other = 0; other <= one; other += 1) {
      const cell = place * size + placeAt(places, other)
      matrix[cell] = at(matrix, cell) + informed * at(factors, other)
    }
  }
  return score
}

/** Adds the counts of a machine, from which its own effect is eliminated. */
function eliminate(
  machine: FittedMachine,
  effects: Float64Array,
  { sums, variance }: { sums: Sums; variance: number },
): void {
  const { of, mean, places, shared } = machine
  const { slope, matrix } = sums
  shared.fill(0)
  machine.precision = 1 / variance
  machine.slope = -mean / variance
  for (const term of of.terms) {
    const { off, information } = addTerm(term, linearValue(term.row, effects) + mean, sums)
    machine.slope += off
    machine.precision += information
    const { factors } = term.row
    for (let one = 0; one < factors.length; one += 1) {
      const index = placeAt(term.local, one)
      shared[index] = at(shared, index) + information * at(factors, one)
    }
  }
  for (let one = 0; one < places.length; one += 1) {
    const place = placeAt(places, one)
    const part = at(shared, one) / machine.precision
    slope[place] = at(slope, place) - part * machine.slope
    for (let other = 0; other <= one; other += 1) {
      const cell = place * slope.length + placeAt(places, other)
      matrix[cell] = at(matrix, cell) - part * at(shared, other)
    }
  }
}

function moveOwn(machine: FittedMachine, moves: Float64Array): void {
  const { precision, places, shared, slope } = machine
  let pulled = 0
  for (let index = 0; index < places.length; index += 1)
    pulled += at(shared, index) * at(moves, placeAt(places, index))
  machine.mean += clipped((slope - pulled) / precision)
}

/** The variance of a machine's own effect. */
export function ownVariance(
  { precision, places, shared }: MachineEffect,
  covariance: Float64Array,
  size: number,
): number {
  let sum = 0
  for (let one = 0; one < places.length; one += 1) {
    const row = placeAt(places, one) * size
    let along = 0
    for (let other = 0; other < places.length; other += 1)
      along += at(shared, other) * at(covariance, row + placeAt(places, other))
    sum += at(shared, one) * along
  }
  return 1 / precision + sum / precision ** 2
}

/** Variances by evidence (EM): the mean of squared effects and of their posterior variances, held by the prior. */
function nextVariances(
  before: Variances,
  { places, contracts }: Terms,
  { effects, covariance, own }: Pick<Fit, 'effects' | 'covariance'> & { own: readonly FittedMachine[] },
): Variances {
  const { size } = places
  const ofEffects = (name: EffectName & keyof Variances) => {
    const { first, count } = places.of[name]
    const known = Array.from({ length: count }, (_, index) => {
      const place = first + index
      return { mean: at(effects, place), variance: at(covariance, place * size + place) }
    })
    return varianceOf(name, before[name], known)
  }
  const ofMachines = () =>
    varianceOf(
      'machine',
      before.machine,
      own
        .filter(({ of }) => of.terms.some(({ kind }) => kind === 'events'))
        .map((one) => ({ mean: one.mean, variance: ownVariance(one, covariance, size) })),
    )
  return {
    product: ofEffects('product'),
    slope: ofEffects('slope'),
    product_price: ofEffects('product_price'),
    rig: ofEffects('rig'),
    back_product: ofEffects('back_product'),
    back_rig: ofEffects('back_rig'),
    machine: contracts.rented < 500 ? before.machine : ofMachines(),
    bend: bendsOf(places, { effects, covariance }, { contracts: contracts.rented, before: before.bend }),
  }
}

const changeOf = (before: Variances, after: Variances): number =>
  Math.max(...keysOf(before).map((name) => Math.abs(after[name] / before[name] - 1)))
