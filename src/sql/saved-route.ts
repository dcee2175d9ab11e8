import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { savedQuery } from '../../contract/sql.ts'
import type { Postgres } from '../../platform/stores/postgres.ts'

/** The saved queries that an admin sees. */
export const savedSqlRoute: FastifyPluginAsyncZod<{ postgres: Postgres }> = async (app, { postgres }) => {
  app.get(
    '/api/v0/metrics/sql/saved',
    {
      config: { permissions: ['machine_read'], access: 'admin' },
      schema: {
        operationId: 'listSavedSqlQueries',
        summary: 'Saved queries',
        description: 'Your own and shared queries, by name.',
        tags: ['sql'],
        response: { 200: z.array(savedQuery) },
      },
    },
    async ({ caller }) => {
      const { rows } = await postgres.query<z.infer<typeof savedQuery>>('sql/saved', [caller.accountId])
      return rows
    },
  )
}
