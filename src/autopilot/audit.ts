import { z } from 'zod'
import { auditAnswer } from '../../contract/autopilot-decisions.ts'
import { afterRow, pageOfRows } from '../../contract/search.ts'
import type { AutopilotRoute } from './context.ts'
import { decisionsOf } from './ledger.ts'

export const auditAutopilot: AutopilotRoute = async (app, { postgres }) => {
  app.get(
    '/api/v0/metrics/autopilot/audit',
    {
      config: { permissions: ['machine_read'], access: 'admin' },
      schema: {
        operationId: 'auditAutopilot',
        summary: 'List the decisions of all accounts',
        description: 'The ledgers of the autopilot of all accounts, newest first.',
        tags: ['autopilot'],
        querystring: z.object({
          limit: z.coerce.number().int().min(1).max(1000).default(100),
          after_token: afterRow,
        }),
        response: { 200: auditAnswer },
      },
    },
    async ({ query: { limit, after_token: before } }) => {
      const asked = { account: null, before, limit: limit + 1 }
      const { page, next_token } = pageOfRows(await decisionsOf(postgres, asked), limit)
      return { success: true as const, decisions: page, next_token }
    },
  )
}
