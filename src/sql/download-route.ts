import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { extensions, type SqlFormat } from '../../contract/sql-formats.ts'
import { type Clock, dateOf } from '../../platform/clock.ts'
import { notFound } from '../../platform/errors.ts'
import type { Postgres } from '../../platform/stores/postgres.ts'
import { patienceMs, produces, type SqlOptions, sendResult, sqlErrors } from './send.ts'
import { takeTicket } from './tickets.ts'

/** The result of a statement as a file, for a ticket. */
export const sqlDownloadRoute: FastifyPluginAsyncZod<
  SqlOptions & { postgres: Postgres; clock: Clock }
> = async (app, { postgres, clock, sql }) => {
  app.get(
    '/api/v0/metrics/sql/downloads/:token',
    {
      handlerTimeout: patienceMs,
      exposeHeadRoute: false, // A HEAD request would use the ticket up.
      config: {
        permissions: 'none',
        errors: {
          ...sqlErrors,
          404: 'The ticket is used, expired or unknown, or its holder is no longer an admin: `not_found`',
        },
      },
      schema: {
        operationId: 'downloadSqlResult',
        summary: 'A download',
        description:
          "The result of the ticket's statement as a file. A ticket works once, so HEAD returns 405.",
        tags: ['sql'],
        params: z.object({ token: z.string() }),
        produces,
        response: { 200: z.unknown().describe('The result in the requested format') },
      },
    },
    async ({ params }, reply) => {
      const ticket = await takeTicket(postgres, params.token)
      if (!ticket) throw notFound('There is no such download')
      const headers = {
        'content-disposition': `attachment; filename="${nameOf(ticket.body.format, dateOf(clock))}"`,
      }
      return sendResult(reply, sql, { ...ticket, headers })
    },
  )
}

/** `rackrate-2026-11-21T11-12-46.csv`: sorts by time, and is a valid name in every file system. */
const nameOf = (format: SqlFormat, now: Date): string =>
  `rackrate-${now.toISOString().slice(0, 19).replaceAll(':', '-')}.${extensions[format]}`
