import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { costsBody } from '../../../contract/costs.ts'
import { idOf } from '../../../contract/fields.ts'
import type { Postgres } from '../../../platform/stores/postgres.ts'
import { noMachine, writeCosts } from './stored.ts'

/** PUT /api/v0/metrics/costs/machines/:id: the costs of one machine. */
export const writeMachineCostsRoute: FastifyPluginAsyncZod<{ postgres: Postgres }> = async (
  app,
  { postgres },
) => {
  app.put(
    '/api/v0/metrics/costs/machines/:id',
    {
      config: {
        permissions: ['machine_write'],
        access: 'host',
        errors: { 404: 'The account has no such machine: `not_found`' },
      },
      schema: {
        operationId: 'writeMachineCosts',
        summary: 'Enter the costs of an own machine',
        description: 'Replaces the costs of one machine. What is left out or null is that of the account.',
        tags: ['metrics'],
        params: z.object({ id: z.string() }),
        body: costsBody,
        response: { 200: z.object({ success: z.literal(true) }) },
      },
    },
    async ({ caller, params, body }) => {
      const machineId = idOf(params.id)
      if (machineId === undefined) throw noMachine()
      await writeCosts(postgres, { accountId: caller.accountId, machineId }, body)
      return { success: true as const }
    },
  )
}
