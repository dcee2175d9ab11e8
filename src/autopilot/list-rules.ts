import { z } from 'zod'
import { autopilotRule } from '../../contract/autopilot.ts'
import type { AutopilotRoute } from './context.ts'
import { rulesOf } from './rules.ts'

export const listAutopilotRules: AutopilotRoute = async (app, { postgres }) => {
  app.get(
    '/api/v0/metrics/autopilot/rules',
    {
      config: { permissions: ['machine_read'], access: 'host' },
      schema: {
        operationId: 'listAutopilotRules',
        summary: 'List autopilot rules',
        description: 'The rules of the account in the order they were created.',
        tags: ['autopilot'],
        response: { 200: z.object({ success: z.literal(true), rules: z.array(autopilotRule) }) },
      },
    },
    async ({ caller }) => ({ success: true as const, rules: await rulesOf(postgres, caller.accountId) }),
  )
}
