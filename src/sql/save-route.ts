import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { successId } from '../../contract/fields.ts'
import { savedQueryBody } from '../../contract/sql.ts'
import { invalidArgs } from '../../platform/errors.ts'
import type { Postgres } from '../../platform/stores/postgres.ts'

const mostSaved = 500

/** Saves a query. */
export const saveSqlRoute: FastifyPluginAsyncZod<{ postgres: Postgres }> = async (app, { postgres }) => {
  app.post(
    '/api/v0/metrics/sql/saved',
    {
      config: { permissions: ['machine_read'], access: 'admin' },
      schema: {
        operationId: 'saveSqlQuery',
        summary: 'Save a query',
        description: `Replaces your query of the same name. At most ${mostSaved} queries.`,
        tags: ['sql'],
        body: savedQueryBody,
        response: { 200: successId },
      },
    },
    async ({ caller, body: { name, query, shared } }) => {
      const { rows } = await postgres.query<{ id: number }>('sql/save', [
        caller.accountId,
        name,
        query,
        shared,
        mostSaved,
      ])
      const [saved] = rows
      if (!saved) throw invalidArgs(`At most ${mostSaved} saved queries`)
      return { success: true as const, id: saved.id }
    },
  )
}
