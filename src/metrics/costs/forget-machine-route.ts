import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { idOf } from '../../../contract/fields.ts'
import type { Postgres } from '../../../platform/stores/postgres.ts'
import { loadSql } from '../../../platform/stores/sql-files.ts'
import { noMachine } from './stored.ts'

/** DELETE /api/v0/metrics/costs/machines/:id: from then on the machine costs what the account's machines do. */
export const forgetMachineCostsRoute: FastifyPluginAsyncZod<{ postgres: Postgres }> = async (
  app,
  { postgres },
) => {
  app.delete(
    '/api/v0/metrics/costs/machines/:id',
    {
      config: {
        permissions: ['machine_write'],
        access: 'host',
        errors: { 404: 'The account has no such machine: `not_found`' },
      },
      schema: {
        operationId: 'forgetMachineCosts',
        summary: 'Forget the costs of an own machine',
        description:
          'The costs of the account hold for it again. A machine without costs of its own stays as it is.',
        tags: ['metrics'],
        params: z.object({ id: z.string() }),
        response: { 200: z.object({ success: z.literal(true) }) },
      },
    },
    async ({ caller, params }) => {
      const values = [caller.accountId, idOf(params.id) ?? null]
      const { rowCount } = await postgres.query(loadSql('postgres/queries/costs/forget'), values)
      if (rowCount === 0) throw noMachine()
      return { success: true as const }
    },
  )
}
