import {
  createMcpHandler,
  localhostAllowedOrigins,
  originValidationResponse,
} from '@modelcontextprotocol/server'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { categories } from '../../contract/permissions.ts'
import type { Clock } from '../../platform/clock.ts'
import { type CallApi, readAnswer } from './call-api.ts'
import { makeMcpServer } from './server.ts'

/** Longer than the longest call of the API: a statement of ad hoc SQL. */
const longestCallMs = 95_000

/** POST /mcp: the tools for assistants over streamable HTTP, without sessions (docs/assistants.md). Any valid key may connect. */
export const mcpRoute: FastifyPluginAsync<{ clock: Clock }> = async (app, { clock }) => {
  app.route({
    method: ['GET', 'POST', 'DELETE'],
    url: '/mcp',
    exposeHeadRoute: false,
    handlerTimeout: longestCallMs,
    config: { permissions: categories },
    schema: { hide: true },
    handler: async (request, reply) => {
      const { method, body, caller } = request
      const asker = { call: callThrough(app, request), clock, isAdmin: caller.isAdmin }
      const handler = createMcpHandler(() => makeMcpServer(asker), {
        maxSubscriptions: 0,
        onerror: (error) => request.log.info({ err: error }, 'an MCP request failed'),
      })
      const url = new URL(request.url, 'http://localhost')
      const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)])
      const plain = new Request(url, { method, headers: Object.fromEntries(headers) })
      // Only browsers send an origin. Pages of other sites must not call this.
      const refused = originValidationResponse(plain, [request.hostname, ...localhostAllowedOrigins()])
      return reply.send(refused ?? (await handler.fetch(plain, { parsedBody: body })))
    },
  })
}

type App = Parameters<typeof mcpRoute>[0]

/** Calls the API inside this process, as its client would: with the same key, limits and address. */
const callThrough =
  (app: App, { headers, ip, id }: FastifyRequest): CallApi =>
  async (method, url, payload) => {
    const response = await app.inject({
      method,
      url,
      headers: { authorization: headers.authorization, 'x-request-id': id },
      remoteAddress: ip,
      payloadAsStream: true,
      ...(payload && { payload }),
    })
    return readAnswer(response.statusCode, response.headers, response.stream())
  }
