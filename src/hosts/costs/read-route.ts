import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { costsAnswer } from '../../../contract/costs.ts'
import type { CostBook } from './stored.ts'

/** GET /api/v0/metrics/costs: the costs that the account has entered. */
export const readCostsRoute: FastifyPluginAsyncZod<{ costs: CostBook }> = async (app, { costs }) => {
  app.get(
    '/api/v0/metrics/costs',
    {
      config: { permissions: ['machine_read'], access: 'host' },
      schema: {
        operationId: 'readCosts',
        summary: 'The costs of own machines',
        description:
          'The costs that the account has entered. `figures.costs` of GET /api/v0/metrics/machines shows their effect on each machine.',
        tags: ['metrics'],
        response: { 200: costsAnswer },
      },
    },
    async ({ caller }) => ({ success: true as const, ...(await costs.read(caller.accountId)) }),
  )
}
