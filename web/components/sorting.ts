import type { Value } from '../charts/spec.ts'

/** Sorts rows by a figure or a name. If `sort` begins with `-`, the highest comes first. Rows without a value come last. */
export const sorted = <Row>(rows: readonly Row[], of: (row: Row) => string | Value, sort: string): Row[] =>
  [...rows].sort((one, other) => compare(of(one), of(other), sort))

function compare(one: string | Value, other: string | Value, sort: string): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null)
  const order =
    typeof one === 'number' && typeof other === 'number'
      ? one - other
      : String(one).localeCompare(String(other), 'en', { numeric: true })
  return sort.startsWith('-') ? -order : order
}
