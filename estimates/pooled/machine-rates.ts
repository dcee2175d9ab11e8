import {
  knots,
  linearValue,
  type Part,
  type PooledRig,
  type Row,
  rentalParts,
  returnParts,
  rowOf,
} from './effects.ts'
import type { Fit, MachineEffect } from './fit.ts'
import { addTimes, at, choleskyOf } from './matrix.ts'

/**
 * The posterior of a machine's rates, a normal distribution of: ln λ at each knot of the share of cheaper GPUs and at the median price, the
 * slope of ln λ in ln price, and ln μ.
 */
export interface MachineRates {
  mean: Float64Array
  /** Lower Cholesky factor of the covariance. */
  factor: Float64Array
}

/** Places of the slope and of ln μ, after the knots. */
export const elasticityAt = knots.length
export const returnsAt = knots.length + 1
export const dimensions = knots.length + 2

/**
 * The rates of a rig. `own`: the effect of a machine that the fit knows. Without it, the machine is a new one of its class, which may differ
 * from the others as much as they do.
 */
export function ratesOf(fit: Omit<Fit, 'machines'>, rig: PooledRig, own?: MachineEffect): MachineRates {
  const { places, effects, covariance, variances } = fit
  const { of } = places
  const curve = knots.map((share) => rentalParts(places, rig, { share, dearness: 0 }))
  const others: Part[][] = [
    [
      [of.price.first, 1],
      [of.product_price.first + rig.product, 1],
    ],
    returnParts(places, rig),
  ]
  const mean = Float64Array.from(
    [
      ...curve.map((parts) => [parts, own?.mean ?? 0] as const),
      ...others.map((parts) => [parts, 0] as const),
    ],
    ([parts, more]) => linearValue(rowOf(parts), effects) + more,
  )
  // The own effect moves against the effects that it shares information with.
  const against = own
    ? [...own.places].map((place, index): Part => [place, -at(own.shared, index) / own.precision])
    : []
  const rows = [...curve.map((parts) => [...parts, ...against]), ...others].map(rowOf)
  const spread = covarianceOf(rows, covariance, places.size)
  const alone = own ? 1 / own.precision : variances.machine
  for (let one = 0; one < knots.length; one += 1)
    for (let other = 0; other < knots.length; other += 1) {
      const cell = one * dimensions + other
      spread[cell] = at(spread, cell) + alone
    }
  return { mean, factor: choleskyOf(spread, dimensions) }
}

/** The covariance of sums of effects. */
function covarianceOf(rows: readonly Row[], covariance: Float64Array, size: number): Float64Array {
  const found = new Float64Array(rows.length ** 2)
  for (const [one, first] of rows.entries()) {
    const along = new Float64Array(size)
    for (const [index, place] of first.places.entries()) {
      addTimes(along, covariance.subarray(place * size, (place + 1) * size), at(first.factors, index))
    }
    for (const [other, second] of rows.entries())
      found[one * rows.length + other] = linearValue(second, along)
  }
  return found
}

/** Draws from a posterior, a row for each of its dimensions, from draws of independent normal numbers. */
export function drawsOf({ mean, factor }: MachineRates, normals: readonly Float64Array[]): Float64Array[] {
  return Array.from(mean, (value, row) => {
    const draws = new Float64Array(normals[0]?.length ?? 0).fill(value)
    for (const [column, normal] of normals.slice(0, row + 1).entries())
      addTimes(draws, normal, at(factor, row * dimensions + column))
    return draws
  })
}
