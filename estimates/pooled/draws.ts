import { normal } from '../normal.ts'
import { at } from './matrix.ts'

/** Draws numbers in [0, 1). */
export type Uniform = () => number

/** A number with the gamma distribution of a shape and scale 1 (Marsaglia and Tsang 2000). */
export function gammaOf(shape: number, uniform: Uniform): number {
  if (shape < 1) return gammaOf(shape + 1, uniform) * (1 - uniform()) ** (1 / shape)
  const d = shape - 1 / 3
  for (;;) {
    const x = normal(uniform)
    const v = (1 + x / Math.sqrt(9 * d)) ** 3
    if (v > 0 && Math.log(1 - uniform()) < x ** 2 / 2 + d - d * v + d * Math.log(v)) return d * v
  }
}

export function meanOf(draws: Float64Array): number {
  let sum = 0
  for (const draw of draws) sum += draw
  return sum / draws.length
}

/** A quantile of ascending draws, interpolated between neighbors. simple-statistics reads plain arrays, and most of its time would be to copy. */
export function quantileOf(sorted: Float64Array, share: number): number {
  const place = share * (sorted.length - 1)
  const below = Math.floor(place)
  const low = at(sorted, below)
  return place === below ? low : low + (place - below) * (at(sorted, below + 1) - low)
}

/** Number of draws from a posterior. */
export const drawCount = 400

/** Draws of independent normal numbers. */
export const drawNormals = (uniform: Uniform): Float64Array =>
  Float64Array.from({ length: drawCount }, () => normal(uniform))
