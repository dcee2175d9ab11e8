import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { idOf, success } from '../../contract/fields.ts'
import { notFound } from '../../platform/errors.ts'
import type { Postgres } from '../../platform/stores/postgres.ts'

/** Deletes a saved query. */
export const deleteSavedSqlRoute: FastifyPluginAsyncZod<{ postgres: Postgres }> = async (
  app,
  { postgres },
) => {
  app.delete(
    '/api/v0/metrics/sql/saved/:id',
    {
      config: {
        permissions: ['machine_read'],
        access: 'admin',
        errors: { 404: 'The caller has no such saved query: `not_found`' },
      },
      schema: {
        operationId: 'deleteSavedSqlQuery',
        summary: 'Delete a saved query',
        description: 'An own one.',
        tags: ['sql'],
        params: z.object({ id: z.string() }),
        response: { 200: success },
      },
    },
    async ({ caller, params }) => {
      const { rowCount } = await postgres.query(
        'DELETE FROM saved_queries WHERE id = $1 AND account_id = $2',
        [idOf(params.id), caller.accountId],
      )
      if (rowCount === 0) throw notFound('There is no such saved query')
      return { success: true as const }
    },
  )
}
