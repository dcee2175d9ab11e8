import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { costsBody } from '../../../contract/costs.ts'
import { machineIdOf, success } from '../../../contract/fields.ts'
import { unusualErrors } from './require-usual.ts'
import type { CostBook } from './stored.ts'

/** PUT /api/v0/metrics/costs/machines/:id: the costs of one machine. */
export const writeMachineCostsRoute: FastifyPluginAsyncZod<{ costs: CostBook }> = async (app, { costs }) => {
  app.put(
    '/api/v0/metrics/costs/machines/:id',
    {
      config: {
        permissions: ['machine_write'],
        access: 'host',
        errors: { ...unusualErrors, 404: 'The account has no such machine: `not_found`' },
      },
      schema: {
        operationId: 'writeMachineCosts',
        summary: 'Enter the costs of an own machine',
        description:
          "Replaces the costs of one machine. For a field that is absent or null, the account's value applies. Values far from the usual, and a floor of more than twice its price, must be confirmed with `confirm_unusual`.",
        tags: ['metrics'],
        params: z.object({ id: z.string() }),
        body: costsBody,
        response: { 200: success },
      },
    },
    async ({ caller, params, body }) => {
      await costs.write(caller, machineIdOf(params.id), body)
      return { success: true as const }
    },
  )
}
