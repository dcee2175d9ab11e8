import { type ApiDocument, resolved, type Schema } from './document.ts'
import { alternativesOf } from './words.ts'

const deepest = 8

/**
 * An example of a schema: the initial value of a request, or the look of an answer. `isRequest`: objects have only their required fields, or all if
 * none is required.
 */
export function exampleOf(document: ApiDocument, given: Schema, isRequest: boolean, depth = 0): unknown {
  const schema = resolved(document, given)
  if (schema.example !== undefined) return schema.example
  if (schema.examples?.[0] !== undefined) return schema.examples[0]
  if (schema.default !== undefined) return schema.default
  if ('const' in schema) return schema.const
  if (schema.enum) return schema.enum[0]
  const inner = (one: Schema) => exampleOf(document, one, isRequest, depth + 1)
  const [first] = alternativesOf(schema)
  if (first) return inner(first)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (depth > deepest) return null
  switch (type) {
    case 'array':
      return (schema.prefixItems ?? (schema.items ? [schema.items] : [])).map(inner)
    case 'object':
      return objectOf(schema, inner, isRequest)
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, 0) || 1
    case 'boolean':
      return true
    case 'string':
      return schema.format === 'email' ? 'name@example.com' : 'text'
    default:
      return null
  }
}

function objectOf(schema: Schema, inner: (one: Schema) => unknown, isRequest: boolean) {
  const { properties = {}, required = [], additionalProperties: others } = schema
  const all = Object.entries(properties)
  const must = all.filter(([name]) => required.includes(name))
  const shown = isRequest && must.length > 0 ? must : all
  const fields = Object.fromEntries(shown.map(([name, one]) => [name, inner(one)]))
  return typeof others === 'object' && all.length === 0 ? { name: inner(others) } : fields
}
