import { createMcpHandler } from '@modelcontextprotocol/server'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { categories } from '../../contract/permissions.ts'
import { type CallApi, readAnswer } from './call-api.ts'
import { makeMcpServer } from './server.ts'

/** POST /mcp: the tools for assistants over streamable HTTP, without sessions (docs/assistants.md). Any valid key may connect. */
export const mcpRoute: FastifyPluginAsync = async (app) => {
  app.route({
    method: ['GET', 'POST', 'DELETE'],
    url: '/mcp',
    config: { permissions: categories },
    schema: { hide: true },
    handler: async (request, reply) => {
      const { method, body, caller } = request
      const asker = { call: callThrough(app, request), isAdmin: caller.isAdmin }
      const handler = createMcpHandler(() => makeMcpServer(asker), {
        maxSubscriptions: 0,
        onerror: (error) => request.log.info({ err: error }, 'an MCP request failed'),
      })
      const url = new URL(request.url, 'http://localhost')
      const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)])
      const plain = new Request(url, { method, headers: Object.fromEntries(headers) })
      return reply.send(await handler.fetch(plain, { parsedBody: body }))
    },
  })
}

type App = Parameters<typeof mcpRoute>[0]

/** The API inside this process, as its client would call it: the same key, limits and address. */
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
