import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { afterRow, nextTokenHeader, pageOfRows } from '../../contract/search.ts'
import { auditedQuery } from '../../contract/sql.ts'
import type { Postgres } from '../../platform/stores/postgres.ts'

/** The audit of ad hoc SQL. */
export const auditedSqlRoute: FastifyPluginAsyncZod<{ postgres: Postgres }> = async (app, { postgres }) => {
  app.get(
    '/api/v0/metrics/sql/queries',
    {
      config: { permissions: ['machine_read'], access: 'admin', headers: nextTokenHeader },
      schema: {
        operationId: 'listSqlQueries',
        summary: 'List audited statements',
        description:
          'Newest first. The cost of a statement appears a few seconds after it ends. When there are more than `limit`, the header Rackrate-Next-Token has the `after_token` of the next page.',
        tags: ['sql'],
        querystring: z.object({
          mine: z.stringbool().default(false).describe('Only statements of the caller'),
          limit: z.coerce.number().int().min(1).max(1000).default(100),
          after_token: afterRow,
        }),
        response: { 200: z.array(auditedQuery) },
      },
    },
    async ({ caller, query: { mine, limit, after_token = null } }, reply) => {
      const { rows } = await postgres.query<z.infer<typeof auditedQuery>>('sql/audited', [
        mine ? caller.accountId : null,
        limit + 1,
        after_token,
      ])
      const { page, next_token } = pageOfRows(rows, limit)
      if (next_token) reply.header('rackrate-next-token', next_token)
      return page
    },
  )
}
