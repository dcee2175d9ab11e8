import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { sqlBody } from '../../contract/sql.ts'
import type { Postgres } from '../../platform/stores/postgres.ts'
import { issueTicket, ticketSeconds } from './tickets.ts'

/** Creates a ticket for a result as a file: a browser that saves a file sends no key. */
export const sqlTicketRoute: FastifyPluginAsyncZod<{ postgres: Postgres }> = async (app, { postgres }) => {
  app.post(
    '/api/v0/metrics/sql/downloads',
    {
      config: { permissions: ['machine_read'], access: 'admin' },
      schema: {
        operationId: 'createSqlDownload',
        summary: 'Create a download ticket',
        description: `Takes the same body as \`POST /api/v0/metrics/sql\` and returns a path, relative to the service. The first request to it within
${ticketSeconds} seconds gets the result as a file, without a key. The statement runs at that request.`,
        tags: ['sql'],
        body: sqlBody,
        response: { 200: z.object({ success: z.literal(true), url: z.string() }) },
      },
    },
    async ({ caller, body }, reply) => {
      const token = await issueTicket(postgres, caller.keyId, body)
      reply.header('cache-control', 'no-store')
      return { success: true as const, url: `/api/v0/metrics/sql/downloads/${token}` }
    },
  )
}
