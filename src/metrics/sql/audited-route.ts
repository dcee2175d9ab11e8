import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { auditedQuery } from '../../../contract/sql.ts'
import type { Postgres } from '../../../platform/stores/postgres.ts'
import { loadSql } from '../../../platform/stores/sql-files.ts'

/** The audit of ad hoc SQL. */
export const auditedSqlRoute: FastifyPluginAsyncZod<{ postgres: Postgres }> = async (app, { postgres }) => {
  app.get(
    '/api/v0/metrics/sql/queries',
    {
      config: { permissions: ['machine_read'], access: 'admin' },
      schema: {
        operationId: 'listSqlQueries',
        summary: 'Who ran what',
        description: 'Newest first. The cost of a statement appears a few seconds after it ends.',
        tags: ['sql'],
        querystring: z.object({
          mine: z.stringbool().default(false).describe('Only own ones'),
          limit: z.coerce.number().int().min(1).max(1000).default(100),
        }),
        response: { 200: z.array(auditedQuery) },
      },
    },
    async ({ caller, query }) => {
      const { rows } = await postgres.query<z.infer<typeof auditedQuery>>(
        loadSql('postgres/queries/sql/audited'),
        [query.mine ? caller.accountId : null, query.limit],
      )
      return rows
    },
  )
}
