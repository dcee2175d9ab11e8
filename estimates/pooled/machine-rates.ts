import { drawCount, drawNormals, type Uniform } from './draws.ts'
import { knots, type Part, type PooledRig, rentalParts, returnParts, rowOf } from './effects.ts'
import type { Fit, MachineEffect } from './fit.ts'
import { addTimes, at, choleskyOf } from './matrix.ts'

/** Places of the slope of ln λ in ln price and of ln μ among the draws of a machine, after ln λ at each knot. */
export const elasticityAt = knots.length
export const returnsAt = knots.length + 1

const noDraws = new Float64Array(0)

/** Draws that all machines of a market share, so that the incomes of several machines may be added draw by draw. */
export interface SharedDraws {
  /** A row for each effect. */
  effects: readonly Float64Array[]
  /** Normal numbers of the market's move against own prices. */
  moves: Float64Array
}

/** Draws the effects of a fit from their joint posterior. */
export function drawShared(
  { places: { size }, effects, covariance }: Omit<Fit, 'machines'>,
  uniform: Uniform,
): SharedDraws {
  const factor = choleskyOf(covariance, size)
  const normals = Array.from({ length: size }, () => drawNormals(uniform))
  const drawn = Array.from(effects, (mean, row) => {
    const draws = new Float64Array(drawCount).fill(mean)
    for (const [column, normal] of normals.slice(0, row + 1).entries())
      addTimes(draws, normal, at(factor, row * size + column))
    return draws
  })
  return { effects: drawn, moves: drawNormals(uniform) }
}

/** A machine of a fit. `own`: the effect of a machine that the fit knows. `luck`: normal numbers of the machine alone. */
interface DrawnMachine {
  rig: PooledRig
  own: MachineEffect | undefined
  luck: Float64Array
}

/**
 * Draws of a machine's rates: ln λ at each knot of the share of cheaper GPUs and at the median price, the slope of ln λ in ln price, and
 * ln μ. Without an own effect, the machine is a new one of its class, which may differ from the others as much as they do.
 */
export function drawRates(
  { effects }: SharedDraws,
  fit: Omit<Fit, 'machines'>,
  { rig, own, luck }: DrawnMachine,
): Float64Array[] {
  const { places } = fit
  const { of } = places
  const sumOf = (parts: readonly Part[], start: Float64Array): Float64Array => {
    const row = rowOf(parts)
    const draws = Float64Array.from(start)
    for (const [index, place] of row.places.entries())
      addTimes(draws, effects[place] ?? noDraws, at(row.factors, index))
    return draws
  }
  const nothing = new Float64Array(drawCount)
  const level = ownLevel(effects, fit, { own, luck })
  const price: Part[] = [
    [of.price.first, 1],
    [of.product_price.first + rig.product, 1],
  ]
  return [
    ...knots.map((share) => sumOf(rentalParts(places, rig, { share, dearness: 0 }), level)),
    sumOf(price, nothing),
    sumOf(returnParts(places, rig), nothing),
  ]
}

/** Draws of a machine's own effect. It moves against the effects that it shares information with. */
function ownLevel(
  effects: readonly Float64Array[],
  { effects: means, variances }: Pick<Fit, 'effects' | 'variances'>,
  { own, luck }: Pick<DrawnMachine, 'own' | 'luck'>,
): Float64Array {
  const spread = Math.sqrt(own ? 1 / own.precision : variances.machine)
  const draws = luck.map((normal) => (own?.mean ?? 0) + spread * normal)
  if (!own) return draws
  for (const [index, place] of own.places.entries()) {
    const factor = -at(own.shared, index) / own.precision
    addTimes(draws, effects[place] ?? noDraws, factor)
    for (let draw = 0; draw < draws.length; draw += 1)
      draws[draw] = at(draws, draw) - factor * at(means, place)
  }
  return draws
}
