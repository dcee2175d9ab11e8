import type { Row } from '../run/answer.ts'
import { numberOf, textOf, type ValueKind } from './values.ts'

export interface Order {
  column: number
  descending: boolean
}

type Comparable = number | bigint | string

/** What a value is compared by; null is last whichever way. 64-bit integers may be text (lines.ts): as numbers they would be rounded. */
export function comparable(value: unknown, kind: ValueKind): Comparable | null {
  if (value === null || value === undefined) return null
  if (kind === 'number')
    return typeof value === 'string' && /^-?\d+$/.test(value) ? BigInt(value) : numberOf(value)
  return kind === 'boolean' ? Number(value) : textOf(value)
}

/** The indexes of rows, or of those `among` them, in an order; equal ones stay as they came. */
export function sortRows(
  rows: readonly Row[],
  { column, descending }: Order,
  kind: ValueKind,
  among: Iterable<number> = rows.keys(),
): Uint32Array {
  const keys = rows.map((row) => comparable(row[column], kind))
  const sign = descending ? -1 : 1
  return Uint32Array.from(among).sort((one, other) => {
    const [a, b] = [keys[one] ?? null, keys[other] ?? null]
    if (a === null || b === null) return a === b ? one - other : a === null ? 1 : -1
    return a < b ? -sign : a > b ? sign : one - other
  })
}

/** A click on a header: up, then down, then as it came. */
export function nextOrder(order: Order | undefined, column: number): Order | undefined {
  if (order?.column !== column) return { column, descending: false }
  return order.descending ? undefined : { column, descending: true }
}
