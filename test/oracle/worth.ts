import { groupBy } from '../../platform/group-by.ts'
import type { MachineAtSlot } from './history.ts'

export interface Regression {
  /** Figures of each row, its outcome, group and cluster. */
  rows: { x: number[]; y: number; group: string; cluster: string }[]
}

/** The coefficients and their covariance, from the definition: plain arrays, elimination instead of a factor. */
export function regressionOf({ rows }: Regression) {
  const means = new Map(
    [...groupBy(rows, ({ group }) => group)].map(([group, of]) => {
      const mean = (value: (row: (typeof of)[number]) => number) =>
        of.reduce((sum, row) => sum + value(row), 0) / of.length
      return [
        group,
        { y: mean(({ y }) => y), x: (of[0]?.x ?? []).map((_, column) => mean(({ x }) => x[column] ?? 0)) },
      ]
    }),
  )
  const centered = rows.map(({ x, y, group, cluster }) => {
    const mean = means.get(group)
    return { x: x.map((value, column) => value - (mean?.x[column] ?? 0)), y: y - (mean?.y ?? 0), cluster }
  })
  const columns = rows[0]?.x.length ?? 0
  const each = <T>(of: (index: number) => T) => Array.from({ length: columns }, (_, index) => of(index))
  const total = (of: (row: (typeof centered)[number]) => number) =>
    centered.reduce((sum, row) => sum + of(row), 0)
  const value = (x: readonly number[], column: number) => x[column] ?? 0
  const matrix = each((one) =>
    each(
      (other) =>
        total(({ x }) => value(x, one) * value(x, other)) * (one === other ? 1 + 1 / rows.length : 1),
    ),
  )
  const inverse = inverted(matrix)
  const times = (vector: readonly number[]) =>
    inverse.map((row) => row.reduce((sum, cell, index) => sum + cell * value(vector, index), 0))
  const dot = (one: readonly number[], other: readonly number[]) =>
    one.reduce((sum, cell, index) => sum + cell * value(other, index), 0)
  const coefficients = times(each((one) => total(({ x, y }) => value(x, one) * y)))
  const clusters = [...groupBy(centered, ({ cluster }) => cluster).values()]
  const moved = clusters.map((of) =>
    times(
      each((one) =>
        of.reduce((sum, { x, y }) => {
          const residual = (y - dot(x, coefficients)) / Math.max(0.1, 1 - dot(x, times(x)))
          return sum + value(x, one) * residual
        }, 0),
      ),
    ),
  )
  const free = rows.length - columns - means.size
  const scale = ((clusters.length / (clusters.length - 1)) * (rows.length - 1)) / free
  const covariance = each((one) =>
    each((other) => scale * moved.reduce((sum, of) => sum + value(of, one) * value(of, other), 0)),
  )
  return { coefficients, covariance }
}

/** The inverse by Gauss and Jordan. */
function inverted(matrix: readonly number[][]): number[][] {
  const size = matrix.length
  const rows = matrix.map((row, index) => [...row, ...row.map((_, column) => Number(column === index))])
  for (let column = 0; column < size; column += 1) {
    const pivot =
      rows.slice(column).toSorted((a, b) => Math.abs(b[column] ?? 0) - Math.abs(a[column] ?? 0))[0] ?? []
    rows.splice(rows.indexOf(pivot), 1)
    rows.splice(column, 0, pivot)
    const lead = pivot[column] ?? 1
    pivot.forEach((cell, index) => {
      pivot[index] = cell / lead
    })
    rows.forEach((row, index) => {
      if (index === column) return
      const factor = row[column] ?? 0
      row.forEach((cell, at) => {
        row[at] = cell - factor * (pivot[at] ?? 0)
      })
    })
  }
  return rows.map((row) => row.slice(size))
}

/** Sums of machines over the days before `to`, from the observations. */
export function sumsOf(seen: readonly MachineAtSlot[], { to, days }: { to: number; days: number }) {
  const inRange = seen.filter(({ slot }) => slot >= to - days * 86_400 && slot < to)
  return [...groupBy(inRange, ({ gpu, machine }) => `${gpu} ${machine}`).values()].map((of) => {
    const total = (value: (one: MachineAtSlot) => number) => of.reduce((sum, one) => sum + value(one), 0)
    const held = (one: MachineAtSlot) => one.rented.reduce((sum, { gpus }) => sum + gpus, 0)
    return {
      last: of.toSorted((a, b) => a.slot - b.slot).at(-1) as MachineAtSlot,
      days: new Set(of.map(({ slot }) => Math.floor(slot / 86_400))).size,
      rented: total(held),
      avail: total(({ free }) => free),
      paid: total(({ rented }) => rented.reduce((sum, { gpus, price }) => sum + gpus * price, 0)),
      asked: total(({ free, price }) => free * price),
    }
  })
}
