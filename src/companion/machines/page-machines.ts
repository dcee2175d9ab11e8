import { z } from 'zod'
import { afterToken, pageOf, pageSize } from '../../../contract/search.ts'
import type { CompanionRoute } from '../context.ts'
import { machine, ownMachines } from './machine.ts'

export const pageMachines: CompanionRoute = async (app, { postgres }) => {
  app.get(
    '/api/v1/machines',
    {
      config: { permissions: ['machine_read'] },
      schema: {
        operationId: 'pageMachines',
        summary: 'List own machines in pages',
        description: 'The rows of GET /api/v0/machines, in pages.',
        tags: ['machines'],
        querystring: z.object({ limit: pageSize(100), after_token: afterToken }),
        response: {
          200: z.object({
            success: z.literal(true),
            machines: z.array(machine),
            machines_found: z.int().describe('Rows in this answer'),
            total_machines: z.int(),
            next_token: z.string().nullable().describe('null: the last page'),
          }),
        },
      },
    },
    async ({ caller, query: { limit, after_token } }) => {
      const wanted = { after: after_token?.id, limit: limit + 1 }
      const { machines, total } = await ownMachines(postgres, caller.accountId, wanted)
      const { page, next_token } = pageOf(machines, limit, 'id')
      return {
        success: true as const,
        machines: page,
        machines_found: page.length,
        total_machines: total,
        next_token,
      }
    },
  )
}
