/** A schema of the OpenAPI document, with the fields that the page uses. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  description?: string
  enum?: unknown[]
  const?: unknown
  default?: unknown
  example?: unknown
  examples?: unknown[]
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  prefixItems?: Schema[]
  additionalProperties?: Schema | boolean
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}

export interface ApiParameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  example?: unknown
  schema?: Schema
}

type Content = Record<string, { schema?: Schema }>

/** A response, or a reference to one with its own description. */
interface Response {
  $ref?: string
  description?: string
  content?: Content
}

interface Described {
  operationId: string
  summary?: string
  description?: string
  tags?: string[]
  parameters?: ApiParameter[]
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, Response>
  security?: object[]
  'x-permissions'?: string[]
}

export interface ApiDocument {
  info: { title: string; description?: string }
  paths: Record<string, Record<string, Described>>
  components?: { schemas?: Record<string, Schema>; responses?: Record<string, Response> }
}

/** An operation of the API. */
export interface Operation extends Described {
  method: string
  path: string
  tag: string
}

export const operationsOf = ({ paths }: ApiDocument): Operation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      ...described,
      method: method.toUpperCase(),
      path,
      tag: described.tags?.[0] ?? 'others',
    })),
  )

/** Operations by their tag, in the order of the document. Only operations that contain all words of a text. */
export function groupsOf(operations: readonly Operation[], text: string): Map<string, Operation[]> {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const groups = new Map<string, Operation[]>()
  for (const operation of operations) {
    const { method, path, summary, operationId, description, tag } = operation
    const all = [method, path, summary, operationId, description, tag].join(' ').toLowerCase()
    if (!words.every((word) => all.includes(word))) continue
    groups.set(tag, [...(groups.get(tag) ?? []), operation])
  }
  return groups
}

/** The schema that a reference names. */
export function resolved(document: ApiDocument, schema: Schema): Schema {
  const name = schema.$ref?.replace('#/components/schemas/', '')
  return (name && document.components?.schemas?.[name]) || schema
}

/** The description of a response. */
export function meaningOf({ components }: ApiDocument, { $ref, description }: Response): string {
  const name = $ref?.replace('#/components/responses/', '') ?? ''
  return description ?? components?.responses?.[name]?.description ?? ''
}

/** The schema of a body, and its media type. */
export function bodyOf(content: Content | undefined): { type: string; schema: Schema } | undefined {
  const [first] = Object.entries(content ?? {})
  return first && { type: first[0], schema: first[1].schema ?? {} }
}
