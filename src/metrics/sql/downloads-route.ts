import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { sqlBody } from '../../../contract/sql.ts'
import { extensions, type SqlFormat } from '../../../contract/sql-formats.ts'
import { notFound } from '../../../platform/errors.ts'
import { patienceMs, produces, type SqlOptions, sendResult, sqlErrors } from './send.ts'
import { issueTicket, takeTicket, ticketSeconds } from './tickets.ts'

const tags = ['sql']

/** Results as files that a browser saves by itself: it can't send a key then, so it gets a ticket for one download. Ours, not in SPEC.md. */
export const sqlDownloadsRoute: FastifyPluginAsyncZod<SqlOptions> = async (app, options) => {
  const { postgres } = options

  app.post(
    '/api/v0/metrics/sql/downloads',
    {
      config: { permissions: ['machine_read'], access: 'admin' },
      schema: {
        summary: 'A ticket for a download',
        description: `Takes what \`POST /api/v0/metrics/sql\` takes and answers an address, below the base address, that
gives the result as a file to whoever asks first, without a key, within ${ticketSeconds} seconds. The statement runs then, not now.`,
        tags,
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

  app.get(
    '/api/v0/metrics/sql/downloads/:token',
    {
      handlerTimeout: patienceMs,
      exposeHeadRoute: false, // it would use the ticket up
      config: {
        permissions: 'none',
        errors: {
          ...sqlErrors,
          404: 'The ticket is used, too old or unknown, or its holder is no admin any more: `not_found`',
        },
      },
      schema: {
        summary: 'A download',
        description: 'The result of the statement that the ticket is for, as a file. Once.',
        tags,
        params: z.object({ token: z.string() }),
        produces,
        response: { 200: z.unknown().describe('The result in the format asked for') },
      },
    },
    async ({ params }, reply) => {
      const ticket = await takeTicket(postgres, params.token)
      if (!ticket) throw notFound('There is no such download any more')
      return sendResult(reply, options, ticket.accountId, ticket.body, {
        'content-disposition': `attachment; filename="${nameOf(ticket.body.format)}"`,
      })
    },
  )
}

/** `rackrate-2026-11-21T11-12-46.csv`: sorts by time, and no file system minds it. */
const nameOf = (format: SqlFormat): string =>
  `rackrate-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}.${extensions[format]}`
