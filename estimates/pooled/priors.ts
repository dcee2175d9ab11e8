import { sum } from 'simple-statistics'
import { type EffectName, knots, type Places } from './effects.ts'
import { at } from './matrix.ts'
import type { Terms } from './terms.ts'

/** Variances of effects that are estimated. `bend`: of second differences of the curve between knots. */
export interface Variances {
  product: number
  slope: number
  product_price: number
  rig: number
  back_product: number
  back_rig: number
  machine: number
  bend: number
}

/** Standard deviations before anything is seen. */
const usual = {
  product: 0.2,
  slope: 0.25,
  product_price: 0.3,
  rig: 0.15,
  back_product: 0.1,
  back_rig: 0.1,
  machine: 0.25,
}

/** Weights of these, in effects. */
const weights = { machine: 20 } as const
const usualWeight = 6

export const variancesBefore: Variances = {
  product: usual.product ** 2,
  slope: usual.slope ** 2,
  product_price: usual.product_price ** 2,
  rig: usual.rig ** 2,
  back_product: usual.back_product ** 2,
  back_rig: usual.back_rig ** 2,
  machine: usual.machine ** 2,
  bend: 0.04 ** 2,
}

/** Fixed standard deviations, which a fit does not change. */
const fixed = {
  level: 3,
  back: 3,
  tier: 1,
  back_tier: 0.5,
  time: 0.2,
  price: 2,
  knot: Math.sqrt(20),
} as const

/**
 * The offset of a snapshot, at the middle of the curve and by its slope: contract prices are older than asks. Measured in markets of known
 * rates.
 */
const offset = { mean: [0.08, 0.32], deviation: Float64Array.of(0.13, 0.35) }

/** A rate of markets of which nothing was counted: one event in a GPU-day. */
const usualRate = Math.log(1 / 24)

/** Effects before anything is seen: the rates of the whole market, and the usual offset of a snapshot. */
export function startOf({ places, contracts }: Terms): Float64Array {
  const { rented, exposure, returned, held } = contracts
  const effects = new Float64Array(places.size)
  const rate = (events: number, hours: number) =>
    events > 0 && hours > 0 ? Math.log(events / hours) : usualRate
  effects[places.of.level.first] = rate(rented, exposure)
  effects[places.of.back.first] = rate(returned, held)
  for (const [index, mean] of offset.mean.entries()) effects[places.of.off.first + index] = mean
  return effects
}

/** Rows of the second differences of neighboring knots. */
const bends = Array.from({ length: knots.length - 2 }, (_, first) => [
  [first, 1] as const,
  [first + 1, -2] as const,
  [first + 2, 1] as const,
])

/** The precision of all effects before anything is counted, row by row. */
export function penaltyOf({ size, of }: Places, variances: Variances): Float64Array {
  const penalty = new Float64Array(size * size)
  const add = (name: EffectName, precision: (index: number) => number) => {
    const { first, count } = of[name]
    for (let index = 0; index < count; index += 1) {
      const place = first + index
      penalty[place * size + place] = precision(index)
    }
  }
  for (const name of ['level', 'back', 'tier', 'back_tier', 'time', 'price', 'knot'] as const)
    add(name, () => 1 / fixed[name] ** 2)
  for (const name of ['product', 'slope', 'product_price', 'rig', 'back_product', 'back_rig'] as const)
    add(name, () => 1 / variances[name])
  add('off', (index) => 1 / at(offset.deviation, index) ** 2)
  const { first } = of.knot
  for (const bend of bends)
    for (const [one, factor] of bend)
      for (const [other, otherFactor] of bend) {
        const cell = (first + one) * size + first + other
        penalty[cell] = at(penalty, cell) + (factor * otherFactor) / variances.bend
      }
  return penalty
}

/** The mean of an effect in its posterior, and its variance there. */
export interface Determined {
  mean: number
  variance: number
}

/**
 * The next variance of effects, held by the usual one: squares of the effects ÷ the number of effects that the data determine (MacKay 1992).
 * This has the fixed point of the EM form, and needs a third of its rounds.
 */
export function varianceOf(name: keyof typeof usual, before: number, effects: readonly Determined[]): number {
  const weight = name === 'machine' ? weights.machine : usualWeight
  return nextVariance(before, effects, { weight, usual: usual[name] ** 2 })
}

function nextVariance(
  before: number,
  effects: readonly Determined[],
  { weight, usual }: { weight: number; usual: number },
): number {
  const determined = sum(effects.map(({ variance }) => Math.max(0, 1 - variance / before)))
  return (sum(effects.map(({ mean }) => mean ** 2)) + weight * usual) / (determined + weight)
}

/** The variance of the bends of the curve. It may be large only where many contracts were seen. */
export function bendsOf(
  { size, of }: Places,
  { effects, covariance }: { effects: Float64Array; covariance: Float64Array },
  { contracts, before }: { contracts: number; before: number },
): number {
  const { first } = of.knot
  const known = bends.map((bend): Determined => {
    const mean = sum(bend.map(([knot, factor]) => factor * at(effects, first + knot)))
    const variance = sum(
      bend.flatMap(([one, factor]) =>
        bend.map(
          ([other, otherFactor]) =>
            factor * otherFactor * at(covariance, (first + one) * size + first + other),
        ),
      ),
    )
    return { mean, variance }
  })
  const variance = nextVariance(before, known, { weight: 0.1, usual: 0.04 ** 2 })
  return Math.min(contracts > 1000 ? 0.3 ** 2 : 0.04 ** 2, Math.max(0.01 ** 2, variance))
}
