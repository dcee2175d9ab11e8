import { Readable } from 'node:stream'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { extensions, type SqlFormat } from '../../contract/sql-formats.ts'
import { type Clock, dateOf } from '../../platform/clock.ts'
import { notFound } from '../../platform/errors.ts'
import type { Postgres } from '../../platform/stores/postgres.ts'
import { patienceMs, produces, type SqlOptions, sendResult, sqlErrors } from './send.ts'
import { readTicket, takeTicket } from './tickets.ts'

/** The result of a statement as a file, for a ticket. */
export const sqlDownloadRoute: FastifyPluginAsyncZod<
  SqlOptions & { postgres: Postgres; clock: Clock }
> = async (app, { postgres, clock, sql }) => {
  app.get(
    '/api/v0/metrics/sql/downloads/:token',
    {
      handlerTimeout: patienceMs,
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
          "The result of the ticket's statement as a file. A ticket works once. HEAD returns the name of the file and leaves the ticket valid.",
        tags: ['sql'],
        params: z.object({ token: z.string() }),
        produces,
        response: { 200: z.unknown().describe('The result in the requested format') },
      },
    },
    async ({ method, params }, reply) => {
      const attachment = (format: SqlFormat) => ({
        'content-disposition': `attachment; filename="${nameOf(format, dateOf(clock))}"`,
      })
      if (method === 'HEAD') {
        const format = await readTicket(postgres, params.token)
        if (!format) throw noDownload()
        // Type and length are known once the statement runs. A stream has neither.
        return reply.headers({ ...attachment(format), 'cache-control': 'no-store' }).send(Readable.from([]))
      }
      const ticket = await takeTicket(postgres, params.token)
      if (!ticket) throw noDownload()
      return sendResult(reply, sql, { ...ticket, headers: attachment(ticket.body.format) })
    },
  )
}

const noDownload = () => notFound('There is no such download')

/** `rackrate-2026-11-21T11-12-46.csv`: sorts by time, and is a valid name in every file system. */
const nameOf = (format: SqlFormat, now: Date): string =>
  `rackrate-${now.toISOString().slice(0, 19).replaceAll(':', '-')}.${extensions[format]}`
