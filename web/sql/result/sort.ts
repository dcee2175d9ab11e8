import type { Row } from '../run/answer.ts'
import { numberOf, textOf, type ValueKind } from './values.ts'

export interface Order {
  column: number
  descending: boolean
}

type Comparable = number | bigint | string

/**
 * The form in which values are compared. null comes last in both directions. 64-bit integers may be text (lines.ts): as numbers they would be
 * rounded.
 */
export function comparable(value: unknown, kind: ValueKind): Comparable | null {
  if (value === null || value === undefined) return null
  if (kind === 'number')
    return typeof value === 'string' && /^-?\d+$/.test(value) ? BigInt(value) : numberOf(value)
  return kind === 'boolean' ? Number(value) : textOf(value)
}

/** The indexes of all rows, or of the rows `among`, in an order. Equal rows keep their order. */
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

/** The next order after a click on a header: ascending, descending, original order. */
export function nextOrder(order: Order | undefined, column: number): Order | undefined {
  if (order?.column !== column) return { column, descending: false }
  return order.descending ? undefined : { column, descending: true }
}
