import { type EffectName, linearValue, type Places } from './effects.ts'
import { at, choleskyOf, inverseOf, solved } from './matrix.ts'
import { bendsOf, penaltyOf, startOf, type Variances, varianceOf, variancesBefore } from './priors.ts'
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
export function fitPooled(terms: Terms): Fit {
  const { places } = terms
  const effects = startOf(terms)
  const start = Float64Array.from(effects)
  const own = new Map<number, MachineEffect>(terms.machines.map((of) => [of.machine, nothingKnown(of)]))
  let variances = variancesBefore
  let covariance: Float64Array = new Float64Array(places.size ** 2)
  for (let round = 0; round < rounds; round += 1) {
    const penalty = penaltyOf(places, variances)
    let factor = penalty
    for (let step = 0; step < (round === 0 ? 6 : 2); step += 1) {
      const sums = startSums(places, penalty, { effects, start })
      for (const term of terms.returns) addTerm(term, effects, sums)
      const slopes = terms.machines.map((of) => eliminate(of, effects, { own, sums, variances }))
      factor = choleskyOf(sums.matrix, places.size)
      const moves = solved(factor, sums.slope)
      for (const [index, of] of terms.machines.entries()) moveOwn(of, own, moves, slopes[index] ?? 0)
      for (let place = 0; place < places.size; place += 1)
        effects[place] = at(effects, place) + clipped(at(moves, place))
    }
    covariance = inverseOf(factor, places.size)
    const next = nextVariances(variances, terms, { effects, covariance, own })
    const isSettled = changeOf(variances, next) < settled
    variances = next
    if (isSettled) break
  }
  return { places, effects, covariance, variances, machines: own }
}

const nothingKnown = ({ places }: MachineTerms): MachineEffect => ({
  mean: 0,
  precision: 1,
  places,
  shared: new Float64Array(places.length),
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

function addTerm(term: Term, effects: Float64Array, { slope, matrix }: Sums): void {
  const { places, factors } = term.row
  const { off, information } = scoreOf(term, linearValue(term.row, effects))
  for (const [index, place] of places.entries()) {
    slope[place] = at(slope, place) + off * at(factors, index)
    for (let other = 0; other < places.length; other += 1) {
      const cell = place * slope.length + at(places, other)
      matrix[cell] = at(matrix, cell) + information * at(factors, index) * at(factors, other)
    }
  }
}

/** Adds the counts of a machine, from which its own effect is eliminated. Returns the slope of that effect. */
function eliminate(
  { machine, terms, places, local }: MachineTerms,
  effects: Float64Array,
  { own, sums, variances }: { own: Map<number, MachineEffect>; sums: Sums; variances: Variances },
): number {
  const count = places.length
  const { mean } = own.get(machine) ?? { mean: 0 }
  const block = new Float64Array(count * count)
  const slope = new Float64Array(count)
  const shared = new Float64Array(count)
  let precision = 1 / variances.machine
  let ownSlope = -mean / variances.machine
  for (const [index, term] of terms.entries()) {
    const { factors } = term.row
    const where = local[index] ?? []
    const { off, information } = scoreOf(term, linearValue(term.row, effects) + mean)
    ownSlope += off
    precision += information
    for (let one = 0; one < where.length; one += 1) {
      const place = at(where, one)
      slope[place] = at(slope, place) + off * at(factors, one)
      shared[place] = at(shared, place) + information * at(factors, one)
      for (let other = 0; other < where.length; other += 1) {
        const cell = place * count + at(where, other)
        block[cell] = at(block, cell) + information * at(factors, one) * at(factors, other)
      }
    }
  }
  for (const [one, place] of places.entries()) {
    const part = at(shared, one) / precision
    sums.slope[place] = at(sums.slope, place) + at(slope, one) - part * ownSlope
    for (let other = 0; other < count; other += 1) {
      const cell = place * sums.slope.length + at(places, other)
      sums.matrix[cell] = at(sums.matrix, cell) + at(block, one * count + other) - part * at(shared, other)
    }
  }
  own.set(machine, { mean, precision, places, shared })
  return ownSlope
}

function moveOwn(
  { machine }: MachineTerms,
  own: Map<number, MachineEffect>,
  moves: Float64Array,
  ownSlope: number,
): void {
  const effect = own.get(machine)
  if (!effect) return
  const { mean, precision, places, shared } = effect
  const pulled = places.reduce((sum, place, index) => sum + at(shared, index) * at(moves, place), 0)
  own.set(machine, { ...effect, mean: mean + clipped((ownSlope - pulled) / precision) })
}

/** The variance of a machine's own effect. */
export function ownVariance(
  { precision, places, shared }: MachineEffect,
  covariance: Float64Array,
  size: number,
): number {
  let sum = 0
  for (const [one, place] of places.entries())
    for (let other = 0; other < places.length; other += 1)
      sum += at(shared, one) * at(shared, other) * at(covariance, place * size + at(places, other))
  return 1 / precision + sum / precision ** 2
}

/** Variances by evidence (EM): the mean of squared effects and of their posterior variances, held by the prior. */
function nextVariances(
  before: Variances,
  { places, machines, contracts }: Terms,
  { effects, covariance, own }: Omit<Fit, 'places' | 'variances' | 'machines'> & Pick<Held, 'own'>,
): Variances {
  const { size } = places
  const ofEffects = (name: EffectName & keyof Variances) => {
    const { first, count } = places.of[name]
    const squares = Array.from({ length: count }, (_, index) => {
      const place = first + index
      return at(effects, place) ** 2 + at(covariance, place * size + place)
    })
    return varianceOf(name, squares)
  }
  const exposed = machines.filter(({ terms }) => terms.some(({ kind }) => kind === 'events'))
  const squares = exposed.flatMap(({ machine }) => {
    const effect = own.get(machine)
    return effect ? [effect.mean ** 2 + ownVariance(effect, covariance, size)] : []
  })
  return {
    product: ofEffects('product'),
    slope: ofEffects('slope'),
    product_price: ofEffects('product_price'),
    rig: ofEffects('rig'),
    back_product: ofEffects('back_product'),
    back_rig: ofEffects('back_rig'),
    machine: contracts.rented < 500 ? before.machine : varianceOf('machine', squares),
    bend: bendsOf(places, { effects, covariance }, contracts.rented),
  }
}

const changeOf = (before: Variances, after: Variances): number =>
  Math.max(
    ...Object.keys(before).map((name) =>
      Math.abs(after[name as keyof Variances] / before[name as keyof Variances] - 1),
    ),
  )

interface Held {
  own: ReadonlyMap<number, MachineEffect>
}
