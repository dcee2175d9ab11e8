import type { OpenAPIV3_1 } from 'openapi-types'
import { type ErrorStatus, errorStatuses } from '../errors.ts'

/** Texts about an operation besides its schemas. */
export interface Details {
  /** The meanings of its error statuses. */
  errors: Partial<Record<ErrorStatus, string>>
  /** Names and descriptions of headers of its answer. With an ETag, the answer may also be 304. */
  headers: Record<string, string>
}

type Parts = Required<Pick<OpenAPIV3_1.ComponentsObject, 'schemas' | 'responses' | 'headers'>>
type Headers = Record<string, OpenAPIV3_1.ReferenceObject>

const ofEveryAnswer = { 'X-Request-Id': 'The request id: the one sent, or a new one' }
const ofErrors: Partial<Record<number, Record<string, string>>> = {
  401: { 'WWW-Authenticate': '`Bearer`' },
  429: { 'Retry-After': 'Seconds to wait' },
  503: { 'Retry-After': 'Seconds to wait' },
}

/** Names the bodies and answers of a document, and adds errors and headers to its operations. Each part is there once. */
export function completeDocument(
  document: Partial<OpenAPIV3_1.Document>,
  details: ReadonlyMap<string, Details>,
): Partial<OpenAPIV3_1.Document> {
  const { schemas = {}, ...others } = document.components ?? {}
  const parts: Parts = { schemas, responses: {}, headers: {} }
  for (const path of Object.values(document.paths ?? {}))
    for (const operation of Object.values(path ?? {}) as OpenAPIV3_1.OperationObject[])
      complete(operation, details.get(operation.operationId ?? '') ?? { errors: {}, headers: {} }, parts)
  removeUnused({ ...document, components: parts }, schemas)
  // Sorted by name: zod's order is the order in which their modules were loaded.
  const byName = Object.entries(schemas).sort(([one], [other]) => (one < other ? -1 : 1))
  return { ...document, components: { ...others, ...parts, schemas: Object.fromEntries(byName) } }
}

function complete(operation: OpenAPIV3_1.OperationObject, { errors, headers }: Details, parts: Parts): void {
  const { operationId = '', summary = '', requestBody, responses = {} } = operation
  const name = operationId.replace(/^./, (letter) => letter.toUpperCase())
  nameSchema(requestBody, `${name}Body`, parts)
  for (const response of Object.values(responses) as OpenAPIV3_1.ResponseObject[]) {
    nameSchema(response, `${name}Answer`, parts)
    response.description = response.description.replace('Default Response', summary)
    response.headers = refer({ ...ofEveryAnswer, ...headers }, parts)
  }
  const statuses = Object.entries(errors).map(([status, description]) => {
    const [id, usual] = errorStatuses[Number(status) as ErrorStatus]
    parts.responses[id] ??= {
      description: usual,
      headers: refer({ ...ofEveryAnswer, ...ofErrors[Number(status)] }, parts),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    }
    return [status, { $ref: `#/components/responses/${id}`, ...(description !== usual && { description }) }]
  })
  operation.responses = { ...responses, ...notModified(headers, parts), ...Object.fromEntries(statuses) }
}

function notModified(headers: Details['headers'], { responses }: Parts): OpenAPIV3_1.ResponsesObject {
  if (!headers.ETag) return {}
  responses.NotModified ??= { description: 'Unchanged since the ETag in If-None-Match. There is no body' }
  return { 304: { $ref: '#/components/responses/NotModified' } }
}

/** Moves the schema of a body to the components of the document, if it is an object without a name. */
function nameSchema(body: unknown, name: string, { schemas }: Parts): void {
  const { content = {} } = (body ?? {}) as { content?: Record<string, OpenAPIV3_1.MediaTypeObject> }
  const media = content['application/json']
  if (!media?.schema || !('properties' in media.schema)) return
  schemas[name] = media.schema
  media.schema = { $ref: `#/components/schemas/${name}` }
}

function refer(descriptions: Record<string, string>, { headers }: Parts): Headers {
  const entries = Object.entries(descriptions).map(([name, description]) => {
    headers[name] ??= { description, schema: { type: 'string' } }
    return [name, { $ref: `#/components/headers/${name}` }]
  })
  return Object.fromEntries(entries)
}

/** zod emits each named schema as a request and as a response. Mostly one of the two is used. */
function removeUnused(document: object, schemas: Parts['schemas']): void {
  const text = JSON.stringify(document)
  const unused = Object.keys(schemas).filter((name) => !text.includes(`"#/components/schemas/${name}"`))
  for (const name of unused) delete schemas[name]
  if (unused.length > 0) removeUnused(document, schemas)
}
