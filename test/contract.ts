import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { expect } from 'vitest'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export interface Operation {
  /** `POST /api/v0/volumes` */
  name: string
  method: Method
  path: string
  permissions: string[] | undefined
  /** The callers allowed, besides the permissions of the key. */
  access: string | undefined
  /** JSON Schema of the body, when there is one. */
  body: object | undefined
  parameters: readonly Parameter[]
}

interface Parameter {
  in: string
  name: string
}

interface Documented {
  'x-permissions'?: string[]
  'x-access'?: string
  parameters?: Parameter[]
  requestBody?: { content: { 'application/json': { schema: object } } }
  responses: Record<string, Answer>
}

interface Answer {
  $ref?: string
  content?: Record<string, { schema: object }>
}

interface Components {
  responses: Record<string, Answer>
  schemas: Record<string, object>
}

interface App {
  inject(request: {
    url: string
  }): Promise<{ json(): { paths: Record<string, Record<string, Documented>>; components: Components } }>
}

interface Response {
  statusCode: number
  body: string
  headers: Record<string, unknown>
}

/** The OpenAPI document as a contract: its operations, and whether an answer keeps to it. */
export async function readContract(app: App) {
  const { paths, components } = (await app.inject({ url: '/openapi.json' })).json()
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
  const validators = new Map<string, ValidateFunction>()
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, documented]) => ({
      path,
      method: method.toUpperCase() as Method,
      documented,
    })),
  )
  const operations: Operation[] = all.map(({ path, method, documented }) => ({
    name: `${method} ${path}`,
    method,
    path,
    permissions: documented['x-permissions'],
    access: documented['x-access'],
    body: documented.requestBody?.content['application/json'].schema,
    parameters: documented.parameters ?? [],
  }))
  const responses = new Map(
    all.map(({ path, method, documented }) => [`${method} ${path}`, documented.responses]),
  )

  return {
    operations,
    /** The schemas that others refer to, by name. */
    schemas: components.schemas,
    /** Expects a documented status, and a body of the documented shape without further fields. */
    expectKept(name: string, { statusCode, body, headers }: Response): void {
      const found = responses.get(name)?.[statusCode]
      const documented = found?.$ref ? components.responses[found.$ref.split('/').at(-1) ?? ''] : found
      expect(documented, `${name} answers ${statusCode}, which is not documented: ${body}`).toBeDefined()
      const [type, content] = Object.entries(documented?.content ?? {})[0] ?? []
      expect(String(headers['content-type']), name).toContain(type)
      const key = `${name} ${statusCode}`
      const validate = validators.get(key) ?? ajv.compile({ ...content?.schema, components })
      validators.set(key, validate)
      const value = type === 'application/json' ? JSON.parse(body) : body
      expect(validate(value) ? [] : validate.errors, `${key}: ${body.slice(0, 300)}`).toEqual([])
    },
  }
}
