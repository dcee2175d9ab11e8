/** The row of an answer that always has exactly one. */
export function one<Row>(rows: readonly Row[]): Row {
  const [row] = rows
  if (rows.length !== 1 || row === undefined) throw new Error(`expected one row, got ${rows.length}`)
  return row
}
