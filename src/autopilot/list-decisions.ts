import { z } from 'zod'
import { decisionsAnswer } from '../../contract/autopilot-decisions.ts'
import { id } from '../../contract/fields.ts'
import type { AutopilotRoute } from './context.ts'
import { decisionsOf } from './ledger.ts'

const mostDecisions = 200

export const listAutopilotDecisions: AutopilotRoute = async (app, { postgres }) => {
  app.get(
    '/api/v0/metrics/autopilot/decisions',
    {
      config: { permissions: ['machine_read'], access: 'host' },
      schema: {
        operationId: 'listAutopilotDecisions',
        summary: 'The ledger of the autopilot',
        description: `The newest ${mostDecisions} decisions, newest first, each with its reason, its call and what was read back. They are kept for a year, what was only suggested or refused for 30 days.`,
        tags: ['autopilot'],
        querystring: z.object({ rule_id: id.optional().describe('Only decisions of this rule') }),
        response: { 200: decisionsAnswer },
      },
    },
    async ({ caller, query }) => ({
      success: true as const,
      decisions: await decisionsOf(postgres, {
        ...{ account: caller.accountId, rule: query.rule_id ?? null, limit: mostDecisions },
      }),
    }),
  )
}
