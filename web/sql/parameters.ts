import type { AuditedQuery } from './api.ts'

/** True if an empty field is a value of the type: an empty text, or NULL. */
export const takesEmpty = (type: string): boolean =>
  /^(Nullable|LowCardinality\(Nullable)\(|^(LowCardinality\()?(String|FixedString)\b/.test(type)

/** The value of a parameter as the API takes it: an empty field of a Nullable type is NULL, an array is JSON, in quotes of either kind. */
export function valueGiven(given: string, type: string): unknown {
  if (given === '' && /^(LowCardinality\()?Nullable\(/.test(type)) return null
  if (!type.startsWith('Array(')) return given
  for (const text of [given, given.replaceAll("'", '"')]) {
    try {
      return JSON.parse(text)
    } catch {}
  }
  return given
}

/** The parameters of an earlier query, in the form of the fields. */
export const valuesOf = ({ params }: Pick<AuditedQuery, 'params'>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value),
    ]),
  )
