import { z } from 'zod'
import { alertRuleAnswer, alertSilence } from '../../contract/alerts.ts'
import { idOf } from '../../contract/fields.ts'
import { acting } from '../../platform/stores/postgres.ts'
import { one } from '../../platform/stores/rows.ts'
import type { AlertsRoute } from './context.ts'
import { noRule, rulesOf } from './rules.ts'

export const silenceAlert: AlertsRoute = async (app, { postgres, markets }) => {
  app.put(
    '/api/v0/alerts/:id/silence',
    {
      config: {
        permissions: ['machine_write'],
        access: 'host',
        errors: { 404: 'The account has no such rule: `not_found`' },
      },
      schema: {
        operationId: 'silenceAlert',
        summary: 'Silence an alert rule',
        description: `The rule is still evaluated but sends nothing. If it is firing when the silence ends, you are notified then. You are not
notified of alerts that resolved in between.`,
        tags: ['alerts'],
        params: z.object({ id: z.string() }),
        body: alertSilence,
        response: { 200: alertRuleAnswer },
      },
    },
    async ({ caller, params, body }) => {
      const id = idOf(params.id)
      const query = 'alerts/silence'
      const { rowCount } = await acting(postgres, caller).query(query, [caller.accountId, id, body.until])
      if (rowCount === 0) throw noRule()
      const rule = one(await rulesOf(postgres, markets, caller.accountId, id))
      return { success: true as const, rule }
    },
  )
}
