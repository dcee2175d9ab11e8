import type { Column, Row } from '../run/answer.ts'
import { comparable } from './sort.ts'
import { kindOf, textOf } from './values.ts'

/** The tests of a filter, with their names on the page. */
export const tests = {
  contains: 'contains',
  is: 'is',
  not: 'is not',
  above: 'is above',
  below: 'is below',
  empty: 'is empty',
  filled: 'is not empty',
} as const

export interface ResultFilter {
  /** Its place among the columns. */
  column: number
  test: keyof typeof tests
  value: string
}

export const mostFilters = 10

/** True if a filter compares with a value. */
export const needsValue = ({ test }: ResultFilter): boolean => test !== 'empty' && test !== 'filled'

/** The indexes of the rows that pass all filters; undefined: no filter is active. */
export function rowsWithin(
  rows: readonly Row[],
  columns: readonly Column[],
  filters: readonly ResultFilter[],
): Uint32Array | undefined {
  const asked = filters.filter((filter) => !needsValue(filter) || filter.value !== '')
  if (asked.length === 0) return undefined
  const passes = asked.map((filter) => testOf(filter, columns[filter.column]?.type ?? ''))
  const indexes: number[] = []
  for (const [index, row] of rows.entries()) if (passes.every((pass) => pass(row))) indexes.push(index)
  return Uint32Array.from(indexes)
}

/** NULL counts as empty, and passes only the tests “is empty” and “is not”. */
function testOf({ column, test, value }: ResultFilter, type: string): (row: Row) => boolean {
  const kind = kindOf(type)
  const isEmpty = (given: unknown) => given === null || given === undefined || given === ''
  const wanted = comparable(kind === 'boolean' ? value.toLowerCase() === 'true' : value.trim(), kind)
  const found = value.toLowerCase()
  const compared = (row: Row) => (isEmpty(row[column]) ? null : comparable(row[column], kind))
  // Numbers that are too long for JavaScript are bigints: `==` and `<` compare them with others by value.
  // biome-ignore lint/suspicious/noDoubleEquals: see above
  const isSame = (row: Row) => compared(row) !== null && wanted !== null && compared(row) == wanted
  const sign = (row: Row): number => {
    const given = compared(row)
    if (given === null || wanted === null) return 0
    return given < wanted ? -1 : given > wanted ? 1 : 0
  }
  const passes: Record<ResultFilter['test'], (row: Row) => boolean> = {
    contains: (row) => !isEmpty(row[column]) && textOf(row[column]).toLowerCase().includes(found),
    is: isSame,
    not: (row) => !isSame(row),
    above: (row) => sign(row) > 0,
    below: (row) => sign(row) < 0,
    empty: (row) => isEmpty(row[column]),
    filled: (row) => !isEmpty(row[column]),
  }
  return passes[test]
}
