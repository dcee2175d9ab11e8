import { z } from 'zod'
import type { CompanionRoute } from '../context.ts'

const combination = z.object({ actual_status: z.string(), verification: z.string(), gpu_name: z.string() })

export const listInstanceFilters: CompanionRoute = async (app, { postgres }) => {
  app.get(
    '/api/v0/instances/filters',
    {
      config: { permissions: ['instance_read'] },
      schema: {
        operationId: 'listInstanceFilters',
        summary: 'List the values to filter instances by',
        description: "The combinations of values among the account's instances.",
        tags: ['instances'],
        response: { 200: z.object({ success: z.literal(true), filters: z.array(combination) }) },
      },
    },
    async ({ caller }) => {
      const { rows } = await postgres.query<z.infer<typeof combination>>('instances/filters', [
        caller.accountId,
      ])
      return { success: true as const, filters: rows }
    },
  )
}
