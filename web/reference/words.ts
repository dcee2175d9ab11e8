import type { Schema } from './document.ts'

/** The bounds of JSON's integers, which carry no information. */
const isBound = (value: number | undefined): value is number =>
  value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER

const between = (low: number | undefined, high: number | undefined, unit = ''): string | undefined => {
  const [from, to] = [isBound(low) ? low : undefined, isBound(high) ? high : undefined]
  if (from !== undefined && to !== undefined)
    return from === to ? `${from}${unit}` : `${from} to ${to}${unit}`
  if (from !== undefined) return `at least ${from}${unit}`
  return to === undefined ? undefined : `at most ${to}${unit}`
}

/** A value as it is written in requests. */
export const written = (value: unknown): string =>
  typeof value === 'string' ? value : Array.isArray(value) ? value.map(written).join() : JSON.stringify(value)

const isNull = ({ type }: Schema): boolean => type === 'null'

/** The alternatives of a schema, without null. */
export const alternativesOf = ({ anyOf, oneOf }: Schema): Schema[] =>
  (anyOf ?? oneOf ?? []).filter((one) => !isNull(one))

/** The name of a list of a type. */
const manyOf = (type: string): string => (/^\w+$/.test(type) ? `${type}s` : `(${type})`)

/** The type of a value in words, with its bounds. */
export function typeOf(schema: Schema): string {
  const { type, items, additionalProperties: others } = schema
  if ('const' in schema) return written(schema.const)
  if (schema.enum) return schema.enum.map(written).join(' | ')
  const alternatives = alternativesOf(schema)
  if (alternatives.length > 0) {
    const words = [...new Set(alternatives.map(typeOf))]
    return [...words, ...((schema.anyOf ?? schema.oneOf)?.some(isNull) ? ['null'] : [])].join(' or ')
  }
  const name = Array.isArray(type) ? type.join(' or ') : type
  if (name === 'array')
    return [
      `list of ${items ? manyOf(typeOf(items)) : 'values'}`,
      between(schema.minItems, schema.maxItems, ' of them'),
    ]
      .filter(Boolean)
      .join(', ')
  if (name === 'object' && typeof others === 'object' && !schema.properties)
    return `${manyOf(typeOf(others))} by name`
  const bounds = [
    schema.format,
    between(schema.minimum, schema.maximum),
    schema.exclusiveMinimum === undefined ? undefined : `above ${schema.exclusiveMinimum}`,
    schema.exclusiveMaximum === undefined ? undefined : `below ${schema.exclusiveMaximum}`,
    between(schema.minLength, schema.maxLength, ' characters'),
    schema.pattern && !schema.format ? `of the form ${schema.pattern}` : undefined,
  ]
  return [name ?? 'any value', ...bounds.filter(Boolean)].join(', ')
}
