import { z } from 'zod'
import { alertRuleAnswer } from '../../contract/alerts.ts'
import { idOf } from '../../contract/fields.ts'
import type { AlertsRoute } from './context.ts'
import { noRule, rulesOf } from './rules.ts'

export const getAlert: AlertsRoute = async (app, { postgres, markets }) => {
  app.get(
    '/api/v0/alerts/:id',
    {
      config: {
        permissions: ['machine_read'],
        access: 'host',
        errors: { 404: 'The account has no such rule: `not_found`' },
      },
      schema: {
        operationId: 'getAlert',
        summary: 'Get an alert rule',
        tags: ['alerts'],
        params: z.object({ id: z.string() }),
        response: { 200: alertRuleAnswer },
      },
    },
    async ({ caller, params }) => {
      const id = idOf(params.id)
      if (id === undefined) throw noRule()
      const [rule] = await rulesOf(postgres, markets, caller.accountId, id)
      if (!rule) throw noRule()
      return { success: true as const, rule }
    },
  )
}
