import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { machineIdOf, success } from '../../../contract/fields.ts'
import type { CostBook } from './stored.ts'

/** DELETE /api/v0/metrics/costs/machines/:id: from then on the account's costs apply to the machine. */
export const forgetMachineCostsRoute: FastifyPluginAsyncZod<{ costs: CostBook }> = async (app, { costs }) => {
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
        summary: 'Delete the costs of a machine',
        description:
          "The account's costs apply to it again. Without costs of its own, the request has no effect.",
        tags: ['metrics'],
        params: z.object({ id: z.string() }),
        response: { 200: success },
      },
    },
    async ({ caller, params }) => {
      await costs.forget(caller, machineIdOf(params.id))
      return { success: true as const }
    },
  )
}
