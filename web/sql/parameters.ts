import type { AuditedQuery } from './api.ts'

/** The value of a parameter as the API takes it: an empty field of a Nullable type is NULL, an array is JSON, in quotes of either kind. */
export function valueGiven(given: string, type: string): unknown {
  if (given === '' && type.startsWith('Nullable(')) return null
  if (!type.startsWith('Array(')) return given
  for (const text of [given, given.replaceAll("'", '"')]) {
    try {
      return JSON.parse(text)
    } catch {}
  }
  return given
}

/** The parameters of a query that was run, as the fields hold them. */
export const valuesOf = ({ params }: AuditedQuery): Record<string, string> =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value),
    ]),
  )
