import { z } from 'zod'
import { decisionsAnswer } from '../../contract/autopilot-decisions.ts'
import { id } from '../../contract/fields.ts'
import { afterRow, pageOfRows, pageSize } from '../../contract/search.ts'
import type { AutopilotRoute } from './context.ts'
import { decisionsOf } from './ledger.ts'

export const listAutopilotDecisions: AutopilotRoute = async (app, { postgres }) => {
  app.get(
    '/api/v0/metrics/autopilot/decisions',
    {
      config: { permissions: ['machine_read'], access: 'host' },
      schema: {
        operationId: 'listAutopilotDecisions',
        summary: 'The ledger of the autopilot',
        description:
          'Decisions, newest first, each with its reason, its call and what was read back. They are kept for a year; suggestions and refusals are kept for 30 days.',
        tags: ['autopilot'],
        querystring: z.object({
          rule_id: id.optional().describe('Only decisions of this rule'),
          limit: pageSize(200),
          after_token: afterRow,
        }),
        response: { 200: decisionsAnswer },
      },
    },
    async ({ caller, query: { rule_id = null, limit, after_token: before } }) => {
      const asked = { account: caller.accountId, rule: rule_id, before, limit: limit + 1 }
      const { page, next_token } = pageOfRows(await decisionsOf(postgres, asked), limit)
      return { success: true as const, decisions: page, next_token }
    },
  )
}
