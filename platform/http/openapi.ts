import swagger from '@fastify/swagger'
import fastifyPlugin from 'fastify-plugin'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { sourceName, sourceParameter } from '../../contract/sources.ts'
import { errorBody } from '../errors.ts'
import { accessDescription } from '../security/access.ts'

// One schema that all operations refer to.
z.globalRegistry.add(errorBody, { id: 'Error' })

const errors: Record<number, string> = {
  400: 'Invalid arguments',
  401: 'No valid key: `auth_error`, `Invalid user key`, with a header WWW-Authenticate',
  403: 'The key does not allow this: `forbidden`',
  429: 'Too many requests. See the header Retry-After',
  500: 'Internal error. Quote the header X-Request-Id',
  503: 'A database cannot be reached. Try again after Retry-After seconds',
}

/** Further errors of operations with a body. */
const bodyErrors: Record<number, string> = {
  413: 'The body is larger than 1 MiB',
  415: 'The body is not JSON',
}

const description = `Market statistics of a GPU rental marketplace, and the account services beside them.

Send an API key with every request: \`Authorization: Bearer KEY\`. The key needs one of the \`x-permissions\` of the operation, and its holder the
\`x-access\`, if the operation has one: \`host\` (a host or an admin), \`admin\`, \`person\` or \`team\`. A path works with and without a slash at its end.

Every error is a 4xx or 5xx with the body \`{"success": false, "error": code, "msg": sentence}\` and a header \`X-Request-Id\` to quote. A method that a path
does not have is answered 405, with the header \`Allow\`.`

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Errors of the route beside the usual ones, or what one of those means here. */
    errors?: Record<number, string>
  }
}

/** The query of a route in JSON Schema, with the parameter that all routes of a market have. */
const addSource = (query: unknown) => {
  const { properties = {}, ...schema } = (query ?? { type: 'object' }) as { properties?: object }
  const source = { type: 'string', pattern: sourceName.source, description: sourceParameter.description }
  return { ...schema, properties: { ...properties, source } }
}

/** Serves the OpenAPI 3.1 document of all routes under /api at /openapi.json. Register before the routes. */
export const openApi = fastifyPlugin<{ publicUrl: string | undefined }>(async (app, { publicUrl = '/' }) => {
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
      const described = Object.entries({
        ...errors,
        ...(config?.refusal && { 403: `${errors[403]}. Refused holder: \`${config.refusal}\`` }),
        ...(route.schema.body ? bodyErrors : {}),
        ...config?.errors,
      }).map(([status, description]) => [
        status,
        { description, content: { 'application/json': { schema: errorBody } } },
      ])
      const response = { ...Object.fromEntries(described), ...(route.schema.response as object) }
      const description = [config?.access && accessDescription(config.access), route.schema.description]
        .filter(Boolean)
        .join(' ')
      const documented = { ...route.schema, description, response }
      const { schema, url } = jsonSchemaTransform({ ...route, schema: documented })
      const access =
        config?.permissions === 'none'
          ? { security: [] }
          : { 'x-permissions': config?.permissions, ...(config?.access && { 'x-access': config.access }) }
      const withSource = config?.perSource ? { querystring: addSource(schema.querystring) } : {}
      return { schema: { ...schema, ...access, ...withSource }, url }
    },
    transformObject: jsonSchemaTransformObject,
  })
  let text: string | undefined // the document of a process does not change
  app.get('/openapi.json', { schema: { hide: true } }, (_request, reply) => {
    text ??= JSON.stringify(app.swagger())
    return reply.type('application/json; charset=utf-8').send(text)
  })
})
