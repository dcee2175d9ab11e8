import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { costsBody } from '../../../contract/costs.ts'
import type { CostBook } from './stored.ts'

/** PUT /api/v0/metrics/costs: the costs of all machines of the account. */
export const writeCostsRoute: FastifyPluginAsyncZod<{ costs: CostBook }> = async (app, { costs }) => {
  app.put(
    '/api/v0/metrics/costs',
    {
      config: { permissions: ['machine_write'], access: 'host' },
      schema: {
        operationId: 'writeCosts',
        summary: 'Enter the costs of own machines',
        description:
          'Replaces the costs that hold for each machine of the account that has none of its own. What is left out or null is not known: it is left out of every figure, and named.',
        tags: ['metrics'],
        body: costsBody,
        response: { 200: z.object({ success: z.literal(true) }) },
      },
    },
    async ({ caller, body }) => {
      await costs.write(caller.accountId, null, body)
      return { success: true as const }
    },
  )
}
