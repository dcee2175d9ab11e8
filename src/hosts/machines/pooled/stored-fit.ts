import type { KnownMachine, MarketFit } from '../../../../estimates/pooled/advise.ts'
import type { FittedProduct } from '../../../../estimates/pooled/market.ts'
import { at } from '../../../../estimates/pooled/matrix.ts'

/** The fit of a market as JSON, under no GPU name. */
export interface StoredFit extends Omit<MarketFit, 'effects' | 'covariance'> {
  gpu_name: ''
  effects: number[]
  /** Lower half of the covariance, row by row. */
  covariance: number[]
}

/** A product of a fit as JSON. */
export interface StoredProduct extends Omit<FittedProduct, 'machines'> {
  machines: {
    key: string
    own: Omit<KnownMachine, 'places' | 'shared'> & { places: number[]; shared: number[] }
  }[]
}

/** Digits that are stored: far more than the estimate has. */
const short = (value: number): number => Number(value.toPrecision(8))

export function storedFit({ effects, covariance, ...fit }: MarketFit): StoredFit {
  const { size } = fit.places
  const lower: number[] = []
  for (let row = 0; row < size; row += 1)
    for (let column = 0; column <= row; column += 1) lower.push(short(at(covariance, row * size + column)))
  return { ...fit, gpu_name: '', effects: [...effects].map(short), covariance: lower }
}

export const storedProduct = ({ machines, ...product }: FittedProduct): StoredProduct => ({
  ...product,
  machines: machines.map(({ key, own: { places, shared, ...own } }) => ({
    key,
    own: { ...own, places: [...places], shared: [...shared].map(short) },
  })),
})

/** A product of a stored row. */
export const loadedProduct = ({ machines, ...product }: StoredProduct): FittedProduct => ({
  ...product,
  machines: machines.map(({ key, own: { places, shared, ...own } }) => ({
    key,
    own: { ...own, places: Int32Array.from(places), shared: Float64Array.from(shared) },
  })),
})

/** The fit of a stored row. */
export function loadedFit({ gpu_name: _, effects, covariance, ...fit }: StoredFit): MarketFit {
  const { size } = fit.places
  const full = new Float64Array(size ** 2)
  let index = 0
  for (let row = 0; row < size; row += 1)
    for (let column = 0; column <= row; column += 1) {
      const value = covariance[index] ?? 0
      full[row * size + column] = value
      full[column * size + row] = value
      index += 1
    }
  return { ...fit, effects: Float64Array.from(effects), covariance: full }
}
