import swagger from '@fastify/swagger'
import fastifyPlugin from 'fastify-plugin'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { sourceName, sourceParameter } from '../../contract/sources.ts'
import { type ErrorStatus, errorBody, errorStatuses } from '../errors.ts'
import { accessDescription } from '../security/access.ts'
import { completeDocument, type Details } from './complete-document.ts'

// One schema that all operations refer to.
z.globalRegistry.add(errorBody, { id: 'Error' })

const limitHeaders = {
  'X-RateLimit-Limit': 'Requests per minute of the account',
  'X-RateLimit-Remaining': 'Requests left in this minute',
  'X-RateLimit-Reset': 'Seconds until the count starts again',
}

const etagHeader = { ETag: 'With If-None-Match, an unchanged answer is a 304' }

const description = `Market statistics of a GPU rental marketplace, and account services. Send an API key with every request: \`Authorization: Bearer KEY\`. The
key needs one of the operation's \`x-permissions\`. If the operation has \`x-access\`, the key's holder must match it: \`host\` (a host or an admin), \`admin\`, \`person\` or \`team\`. A path works with and without a trailing slash.

Every error is a 4xx or 5xx with the body \`{"success": false, "error": code, "msg": sentence}\` and a header \`X-Request-Id\` to quote. A method that
a path does not support returns 405 with the header \`Allow\`.`

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Errors of the route besides the usual ones, or another meaning of a usual one. */
    errors?: Partial<Record<ErrorStatus, string>>
    /** Headers of the answer, with their descriptions. */
    headers?: Record<string, string>
  }
}

/** The query of a route in JSON Schema, plus the parameter `source` that all market routes have. */
const addSource = (query: unknown) => {
  const { properties = {}, ...schema } = (query ?? { type: 'object' }) as { properties?: object }
  const source = { type: 'string', pattern: sourceName.source, description: sourceParameter.description }
  return { ...schema, properties: { ...properties, source } }
}

const meaningOf = (statuses: readonly ErrorStatus[]) =>
  Object.fromEntries(statuses.map((status) => [status, errorStatuses[status][1]]))

/** Removes the bounds of JavaScript's integers, which describe no field. */
const withoutSafeBounds = (_key: string, value: unknown) =>
  Math.abs(value as number) === Number.MAX_SAFE_INTEGER ? undefined : value

/** Serves the OpenAPI 3.1 document of all routes under /api at /openapi.json. Register it before the routes. */
export const openApi = fastifyPlugin<{ publicUrl: string | undefined }>(async (app, { publicUrl = '/' }) => {
  const detailsOf = new Map<string, Details>()
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'rackrate', version: '1.0.0', description },
      servers: [{ url: publicUrl }],
      components: {
        securitySchemes: {
          key: { type: 'http', scheme: 'bearer', description: 'An API key of the account' },
        },
      },
      security: [{ key: [] }],
    },
    transform: (route) => {
      const { config } = route.route
      if (!route.url.startsWith('/api/') || route.route.constraints?.source)
        return jsonSchemaTransform({ ...route, schema: { ...route.schema, hide: true } })
      if (!route.schema.hide && !route.schema.operationId) throw new Error(`${route.url} has no operationId`)
      detailsOf.set(route.schema.operationId ?? '', {
        errors: {
          ...meaningOf([400, 401, 403, 408, 429, 431, 500, 503]),
          ...(route.schema.params ? meaningOf([414]) : {}),
          // A body is read, and may be refused, whether or not the operation takes one.
          ...(['GET', 'HEAD'].includes(String(route.route.method)) ? {} : meaningOf([413, 415])),
          ...(config?.refusal && { 403: `${errorStatuses[403][1]}. Refused holder: \`${config.refusal}\`` }),
          ...config?.errors,
        },
        headers: {
          ...(config?.permissions !== 'none' && limitHeaders),
          ...(route.route.method === 'GET' && etagHeader),
          ...config?.headers,
        },
      })
      const description = [config?.access && accessDescription(config.access), route.schema.description]
        .filter(Boolean)
        .join(' ')
        // Lines of the source are joined. Paragraphs and lists stay.
        .replace(/(?<!\n)\n(?!\n|- )/g, ' ')
      const documented = { ...route.schema, description }
      const { schema, url } = jsonSchemaTransform({ ...route, schema: documented })
      const access =
        config?.permissions === 'none'
          ? { security: [] }
          : { 'x-permissions': config?.permissions, ...(config?.access && { 'x-access': config.access }) }
      const withSource = config?.perSource ? { querystring: addSource(schema.querystring) } : {}
      return { schema: { ...schema, ...access, ...withSource }, url }
    },
    transformObject: (document) =>
      completeDocument(jsonSchemaTransformObject(document) as never, detailsOf) as never,
  })
  let text: string | undefined // The document of a process does not change.
  app.get('/openapi.json', { config: { anyOrigin: true }, schema: { hide: true } }, (_request, reply) => {
    text ??= JSON.stringify(app.swagger(), withoutSafeBounds)
    return reply.type('application/json; charset=utf-8').send(text)
  })
})
