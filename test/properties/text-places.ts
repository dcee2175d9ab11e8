import type { Operation } from '../contract.ts'

interface Schema {
  $ref?: string
  type?: string
  const?: unknown
  enum?: readonly unknown[]
  format?: string
  minimum?: number
  properties?: Record<string, Schema>
  required?: readonly string[]
  additionalProperties?: Schema | boolean
  items?: Schema
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  allOf?: readonly Schema[]
}

type Schemas = Record<string, object>

/** A schema, or the one that it refers to. */
export const resolved = (schema: object, schemas: Schemas): Schema => {
  const { $ref } = schema as Schema
  return (($ref && schemas[$ref.split('/').at(-1) ?? '']) || schema) as Schema
}

/** Where an operation takes text: a parameter, a field of the body, or the name of a field. */
export interface TextPlace {
  in: 'path' | 'query' | 'header' | 'body' | 'name'
  /** The way from the top of the body, or the name of the parameter. */
  way: readonly (string | number)[]
}

/** All places of an operation that take text. */
export function textPlaces({ parameters, body }: Operation, schemas: Schemas): TextPlace[] {
  const given = parameters.map((one) => ({ in: one.in as TextPlace['in'], way: [one.name] }))
  return [...given, ...(body ? placesIn(body, schemas) : [])]
}

const deepest = 6

function placesIn(given: object, schemas: Schemas, way: TextPlace['way'] = []): TextPlace[] {
  if (way.length > deepest) return []
  const schema = resolved(given, schemas)
  const { properties = {}, items, additionalProperties, anyOf = [], oneOf = [], allOf = [] } = schema
  const inside = (one: Schema, step: string | number) => placesIn(one, schemas, [...way, step])
  const places = [
    ...Object.entries(properties).flatMap(([name, one]) => inside(one, name)),
    ...(items ? inside(items, 0) : []),
    ...[...anyOf, ...oneOf, ...allOf].flatMap((one) => placesIn(one, schemas, way)),
  ]
  if (typeof additionalProperties === 'object') {
    places.push({ in: 'name', way }, ...inside(additionalProperties, 'any'))
  }
  // A value without a type may be a text.
  if (schema.type === 'string' || Object.keys(schema).length === 0) places.push({ in: 'body', way })
  const seen = new Set<string>()
  return places.filter((place) => {
    const key = JSON.stringify(place)
    return !seen.has(key) && seen.add(key)
  })
}

/** A body with a text at a place. Missing parts on the way there are created from the schema. */
export function bodyWith(
  { schema, given, schemas }: { schema: object; given: unknown; schemas: Schemas },
  place: TextPlace,
  text: string,
): unknown {
  const [step, ...rest] = place.way
  if (step === undefined) return place.in === 'name' ? { [text]: 'x' } : text
  const next = stepInto(schema, step, schemas)
  const before = isContainer(given) ? given : sample(schema, schemas, step)
  const container = isContainer(before) ? before : typeof step === 'number' ? [] : {}
  const value = bodyWith(
    { schema: next, given: (container as Record<string, unknown>)[step], schemas },
    { in: place.in, way: rest },
    text,
  )
  if (Array.isArray(container)) return [value, ...container.slice(1)]
  return { ...container, [step]: value }
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null

/** The schema of a member, in the first alternative that has it. */
function stepInto(given: object, step: string | number, schemas: Schemas): Schema {
  return (
    alternativesOf(given, schemas)
      .map((one) => memberOf(one, step))
      .find((one) => one !== undefined) ?? {}
  )
}

function memberOf({ properties, items, additionalProperties }: Schema, step: string | number) {
  if (typeof step === 'number') return items
  const extra = typeof additionalProperties === 'object' ? additionalProperties : undefined
  return properties?.[step] ?? extra
}

function alternativesOf(given: object, schemas: Schemas): Schema[] {
  const schema = resolved(given, schemas)
  const { anyOf = [], oneOf = [], allOf = [] } = schema
  return [schema, ...[...anyOf, ...oneOf, ...allOf].flatMap((one) => alternativesOf(one, schemas))]
}

/** A small value that a schema accepts, as far as its types say; of several alternatives the one that has a member `step`. */
function sample(given: object, schemas: Schemas, step?: string | number): unknown {
  const alternatives = alternativesOf(given, schemas)
  const schema =
    alternatives.find((one) => step !== undefined && memberOf(one, step)) ??
    alternatives.find(({ type }) => type !== undefined) ??
    alternatives.find((one) => one.const !== undefined || one.enum)
  if (!schema) return 'x'
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((name) => [name, sample(schema.properties?.[name] ?? {}, schemas)]),
      )
    case 'array':
      return []
    case 'integer':
    case 'number':
      return Math.max(1, schema.minimum ?? 1)
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return schema.format === 'email' ? 'somebody@example.com' : 'x'
  }
}
