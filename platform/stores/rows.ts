/** The row of an answer that has exactly one. */
export function one<Row>(rows: readonly Row[]): Row {
  const [row, ...others] = rows
  if (row === undefined || others.length > 0) throw new Error(`Expected one row, got ${rows.length}`)
  return row
}
