import { at, choleskyOf, dot, inverseOf, solved, times } from './pooled/matrix.ts'

/** Rows of a regression: `columns` numbers of each row, row by row. */
export interface RidgeInput {
  columns: number
  rows: Float64Array
  outcome: Float64Array
  /** The group of each row. Means of groups are taken off, so only differences within a group count. */
  groups: readonly string[]
  /** The cluster of each row. Rows of one cluster may err alike. */
  clusters: readonly string[]
}

export interface RidgeFit {
  coefficients: Float64Array
  /** Covariances of the coefficients, robust to clusters. */
  covariance: Float64Array
  clusters: number
}

/**
 * Ridge regression within groups. The penalty of a column is its variance: as much as one more row without an effect. Errors are from residuals that
 * were divided by 1 − leverage, summed within clusters.
 */
export function fitRidge({ columns, rows, outcome, groups, clusters }: RidgeInput): RidgeFit {
  const count = outcome.length
  const x = withoutMeans(rows, columns, groups)
  const y = withoutMeans(outcome, 1, groups)
  const matrix = new Float64Array(columns * columns)
  const products = new Float64Array(columns)
  for (let row = 0; row < count; row += 1)
    for (let one = 0; one < columns; one += 1) {
      const value = at(x, row * columns + one)
      if (value === 0) continue
      products[one] = at(products, one) + value * at(y, row)
      for (let other = 0; other <= one; other += 1) {
        const cell = one * columns + other
        matrix[cell] = at(matrix, cell) + value * at(x, row * columns + other)
      }
    }
  for (let one = 0; one < columns; one += 1) {
    const cell = one * columns + one
    matrix[cell] = at(matrix, cell) * (1 + 1 / count)
  }
  const factor = choleskyOf(matrix, columns)
  const coefficients = solved(factor, products)
  const inverse = inverseOf(factor, columns)
  const scores = scoresOf({ columns, x, y, clusters, coefficients, inverse })
  const covariance = new Float64Array(columns * columns)
  for (const score of scores) {
    const moved = times(inverse, score)
    for (let one = 0; one < columns; one += 1)
      for (let other = 0; other < columns; other += 1) {
        const cell = one * columns + other
        covariance[cell] = at(covariance, cell) + at(moved, one) * at(moved, other)
      }
  }
  // The usual corrections for few clusters and for what was estimated, means of groups included.
  const free = Math.max(1, count - columns - new Set(groups).size)
  const scale = (scores.length / Math.max(1, scores.length - 1)) * ((count - 1) / free)
  return { coefficients, covariance: covariance.map((value) => value * scale), clusters: scores.length }
}

interface Residuals {
  columns: number
  x: Float64Array
  y: Float64Array
  clusters: readonly string[]
  coefficients: Float64Array
  inverse: Float64Array
}

/** Row × residual, summed within each cluster. */
function scoresOf({ columns, x, y, clusters, coefficients, inverse }: Residuals): Float64Array[] {
  const scores = new Map<string, Float64Array>()
  clusters.forEach((cluster, row) => {
    const values = x.subarray(row * columns, (row + 1) * columns)
    const leverage = dot(values, times(inverse, values))
    const residual = (at(y, row) - dot(values, coefficients)) / Math.max(0.1, 1 - leverage)
    const score = scores.get(cluster) ?? new Float64Array(columns)
    scores.set(cluster, score)
    for (let one = 0; one < columns; one += 1) score[one] = at(score, one) + residual * at(values, one)
  })
  return [...scores.values()]
}

/** A contrast of coefficients with its standard error. */
export function contrastOf({ coefficients, covariance }: RidgeFit, weights: Float64Array) {
  return { value: dot(weights, coefficients), error: Math.sqrt(dot(weights, times(covariance, weights))) }
}

/** The rows of each group. */
export function rowsOf(groups: readonly string[]): Map<string, number[]> {
  const found = new Map<string, number[]>()
  groups.forEach((group, row) => {
    const rows = found.get(group)
    if (rows) rows.push(row)
    else found.set(group, [row])
  })
  return found
}

function withoutMeans(values: Float64Array, columns: number, groups: readonly string[]): Float64Array {
  const found = Float64Array.from(values)
  for (const rows of rowsOf(groups).values())
    for (let one = 0; one < columns; one += 1) {
      let sum = 0
      for (const row of rows) sum += at(values, row * columns + one)
      for (const row of rows) found[row * columns + one] = at(found, row * columns + one) - sum / rows.length
    }
  return found
}
