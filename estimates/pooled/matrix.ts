/**
 * The number at an index of a dense vector or matrix. Callers stay within its bounds. Each function reads one kind of array, which makes loops
 * several times as fast as with arrays of any kind.
 */
export const at = (values: Float64Array, index: number): number => values[index] ?? 0

/** The place at an index of a list of places. */
export const placeAt = (places: Int32Array, index: number): number => places[index] ?? 0

/** Adds a multiple of a vector to another one. */
export function addTimes(sums: Float64Array, values: Float64Array, factor: number): void {
  for (let index = 0; index < sums.length; index += 1)
    sums[index] = at(sums, index) + factor * at(values, index)
}

/** The inner product of two vectors. */
export function dot(one: Float64Array, other: Float64Array): number {
  let sum = 0
  for (let index = 0; index < one.length; index += 1) sum += at(one, index) * at(other, index)
  return sum
}

/** A square matrix × a vector. */
export const times = (matrix: Float64Array, vector: Float64Array): Float64Array =>
  vector.map((_, row) => dot(matrix.subarray(row * vector.length, (row + 1) * vector.length), vector))

/**
 * The lower Cholesky factor of a symmetric positive definite matrix of `size` rows, of which the lower half is read. Packages for matrices
 * took five to ten times as long, and a fit factors some 40 of them.
 */
export function choleskyOf(matrix: Float64Array, size: number): Float64Array {
  const factor = new Float64Array(size * size)
  for (let row = 0; row < size; row += 1)
    for (let column = 0; column <= row; column += 1) {
      let sum = at(matrix, row * size + column)
      for (let k = 0; k < column; k += 1) sum -= at(factor, row * size + k) * at(factor, column * size + k)
      factor[row * size + column] =
        row === column ? Math.sqrt(Math.max(sum, 1e-12)) : sum / at(factor, column * size + column)
    }
  return factor
}

/** The solution x of L Lᵀ x = values. */
export function solved(factor: Float64Array, values: Float64Array): Float64Array {
  const size = values.length
  const found = Float64Array.from(values)
  for (let row = 0; row < size; row += 1) {
    let sum = at(found, row)
    for (let k = 0; k < row; k += 1) sum -= at(factor, row * size + k) * at(found, k)
    found[row] = sum / at(factor, row * size + row)
  }
  for (let row = size - 1; row >= 0; row -= 1) {
    const value = at(found, row) / at(factor, row * size + row)
    found[row] = value
    for (let k = 0; k < row; k += 1) found[k] = at(found, k) - at(factor, row * size + k) * value
  }
  return found
}

/** The inverse of L Lᵀ. */
export function inverseOf(factor: Float64Array, size: number): Float64Array {
  // Columns of L⁻¹ as rows, so that both loops read memory in order.
  const inverse = new Float64Array(size * size)
  for (let column = 0; column < size; column += 1) {
    inverse[column * size + column] = 1 / at(factor, column * size + column)
    for (let row = column + 1; row < size; row += 1) {
      let sum = 0
      for (let k = column; k < row; k += 1) sum -= at(factor, row * size + k) * at(inverse, column * size + k)
      inverse[column * size + row] = sum / at(factor, row * size + row)
    }
  }
  const found = new Float64Array(size * size)
  for (let one = 0; one < size; one += 1)
    for (let other = 0; other <= one; other += 1) {
      let sum = 0
      for (let k = one; k < size; k += 1) sum += at(inverse, one * size + k) * at(inverse, other * size + k)
      found[one * size + other] = sum
      found[other * size + one] = sum
    }
  return found
}
