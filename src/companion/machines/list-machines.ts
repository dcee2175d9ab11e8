import { z } from 'zod'
import type { CompanionRoute } from '../context.ts'
import { machine, ownMachines } from './machine.ts'

const most = 1000

export const listMachines: CompanionRoute = async (app, { postgres }) => {
  app.get(
    '/api/v0/machines',
    {
      config: { permissions: ['machine_read'] },
      schema: {
        operationId: 'listMachines',
        summary: 'List own machines',
        description: `The machines of the account in the order of their ids, at most ${most}. GET /api/v1/machines has pages. Fields that rackrate does not record are null.`,
        tags: ['machines'],
        response: { 200: z.object({ success: z.literal(true), machines: z.array(machine) }) },
      },
    },
    async ({ caller }) => ({
      success: true as const,
      machines: (await ownMachines(postgres, caller.accountId, { limit: most })).machines,
    }),
  )
}
