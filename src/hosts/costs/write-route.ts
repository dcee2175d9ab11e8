import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { costsBody } from '../../../contract/costs.ts'
import { success } from '../../../contract/fields.ts'
import { unusualErrors } from './require-usual.ts'
import type { CostBook } from './stored.ts'

/** PUT /api/v0/metrics/costs: the costs of all machines of the account. */
export const writeCostsRoute: FastifyPluginAsyncZod<{ costs: CostBook }> = async (app, { costs }) => {
  app.put(
    '/api/v0/metrics/costs',
    {
      config: { permissions: ['machine_write'], access: 'host', errors: unusualErrors },
      schema: {
        operationId: 'writeCosts',
        summary: 'Enter the costs of own machines',
        description:
          'Replaces the costs that apply to every machine without costs of its own. A field that is absent or null is unknown: it is left out of every figure and listed as unknown. Values far from the usual, and a floor of more than twice the price of a machine, must be confirmed with `confirm_unusual`.',
        tags: ['metrics'],
        body: costsBody,
        response: { 200: success },
      },
    },
    async ({ caller, body }) => {
      await costs.write(caller, null, body)
      return { success: true as const }
    },
  )
}
