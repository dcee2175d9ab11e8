import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import fastifyPlugin from 'fastify-plugin'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { errorBody } from '../errors.ts'
import { accessDescription } from '../security/access.ts'

// One schema of the document that every operation refers to.
z.globalRegistry.add(errorBody, { id: 'Error' })

const errors: Record<number, string> = {
  400: 'Invalid arguments',
  401: 'No valid key: `auth_error`, `Invalid user key`',
  403: 'The key may not do this: `forbidden`',
  429: 'Too many requests; see the header Retry-After',
  500: 'Our fault; quote the header X-Request-Id',
  503: 'A database is away; try again after Retry-After seconds',
}

/** Further ones, where there is a body. */
const bodyErrors: Record<number, string> = {
  413: 'The body is larger than 1 MB',
  415: 'The body is not JSON',
}

const description = `Market statistics of a GPU rental marketplace, and the account services beside them.

Every endpoint takes \`Authorization: Bearer KEY\`, with a key that has one of its \`x-permissions\`. Paths work with and without a slash at the end. Every failure is a 4xx or 5xx with
\`{"success": false, "error": code, "msg": sentence}\` and an \`X-Request-Id\` to quote.`

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What else the route answers than `errors`, or what one of those means here. */
    errors?: Record<number, string>
  }
}

/** The OpenAPI 3.1 document of all routes under /api at /openapi.json, and a page to read it at /docs. Register before the routes. */
export const openApi = fastifyPlugin(async (app) => {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'rackrate', version: '1.0.0', description },
      components: {
        securitySchemes: {
          key: { type: 'http', scheme: 'bearer', description: 'An API key of the account' },
        },
      },
      security: [{ key: [] }],
    },
    transform: (route) => {
      const { config } = route.route
      if (!route.url.startsWith('/api/'))
        return jsonSchemaTransform({ ...route, schema: { ...route.schema, hide: true } })
      const described = Object.entries({
        ...errors,
        ...(config?.refusal && { 403: `${errors[403]}, or, when its holder may not, \`${config.refusal}\`` }),
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
      return { schema: { ...schema, ...access }, url }
    },
    transformObject: jsonSchemaTransformObject,
  })
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    // Its page writes styles into elements; there is nothing on it but the contract.
    transformStaticCSP: (policy) => policy.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'"),
    uiConfig: { url: '../openapi.json', deepLinking: true },
  })
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger())
})
