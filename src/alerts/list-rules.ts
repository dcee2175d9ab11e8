import { z } from 'zod'
import { alertRule } from '../../contract/alerts.ts'
import type { AlertsRoute } from './context.ts'
import { rulesOf } from './rules.ts'

export const listAlerts: AlertsRoute = async (app, { postgres, markets }) => {
  app.get(
    '/api/v0/alerts',
    {
      config: { permissions: ['machine_read'], access: 'host' },
      schema: {
        operationId: 'listAlerts',
        summary: 'List alert rules',
        description: 'The rules of the account in the order they were created, with their current state.',
        tags: ['alerts'],
        response: { 200: z.object({ success: z.literal(true), rules: z.array(alertRule) }) },
      },
    },
    async ({ caller }) => ({
      success: true as const,
      rules: await rulesOf(postgres, markets, caller.accountId),
    }),
  )
}
