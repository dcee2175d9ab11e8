/** The ways to show values of a type. */
export type ValueKind = 'number' | 'time' | 'boolean' | 'text' | 'nested'

export function kindOf(type: string): ValueKind {
  const [, inner] = /^(?:Nullable|LowCardinality)\((.*)\)$/s.exec(type) ?? []
  if (inner !== undefined) return kindOf(inner)
  if (/^(U?Int\d|Float|BFloat|Decimal)/.test(type)) return 'number'
  if (/^Date/.test(type)) return 'time'
  if (type === 'Bool') return 'boolean'
  return /^(Array|Tuple|Map|Nested|JSON|Object|Variant|Dynamic|Point|Ring|.*Polygon|.*LineString)/.test(type)
    ? 'nested'
    : 'text'
}

/** A value as text. The caller handles null. */
export const textOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : typeof value === 'object' && value !== null
      ? JSON.stringify(value)
      : String(value)

/** A number that was too long for JavaScript is here as text (lines.ts), as are the values that JSON lacks: nan, inf, -inf. */
export const numberOf = (value: unknown): number | null => {
  if (value === null || value === undefined || value === '') return null
  const number = Number(typeof value === 'string' ? value.replace('inf', 'Infinity') : value)
  return Number.isNaN(number) ? null : number
}

/** The length of the fractional part, including the point; 0 for values with an exponent. */
export const fractionOf = (value: unknown): number => /^-?\d+(\.\d+)$/.exec(textOf(value))?.[1]?.length ?? 0

/** Rows as text for a spreadsheet: tab-separated, with the names of the columns. */
export function tsvOf(columns: readonly { name: string }[], rows: Iterable<readonly unknown[]>): string {
  const lines = [columns.map(({ name }) => cell(name)).join('\t')]
  for (const row of rows)
    lines.push(row.map((value) => (value === null ? '' : cell(textOf(value)))).join('\t'))
  return lines.join('\n')
}

/** Quoted as spreadsheets do when it would break the line. */
const cell = (text: string): string => (/[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
