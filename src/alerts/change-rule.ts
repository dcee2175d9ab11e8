import { z } from 'zod'
import { alertBody, writtenAlertRule } from '../../contract/alerts.ts'
import { idOf } from '../../contract/fields.ts'
import { withAccount } from '../companion/context.ts'
import { requireReading } from '../rules/access.ts'
import type { AlertsRoute } from './context.ts'
import { columnsOf, noRule, watchedBy, webhookOf, writtenRule } from './rules.ts'

export const changeAlert: AlertsRoute = async (app, alerts) => {
  app.put(
    '/api/v0/alerts/:id',
    {
      config: {
        permissions: ['machine_write'],
        access: 'host',
        errors: {
          400: '`invalid_args`; `missing_email` or `email_not_verified` with `email`',
          404: 'The account has no such rule or no such machine: `not_found`',
        },
      },
      schema: {
        operationId: 'changeAlert',
        summary: 'Change an alert rule',
        description: `Replaces the whole rule. A changed condition resets its state. A stopped rule resumes with the key of this request, and a
receiver that answered 410 is tried again.`,
        tags: ['alerts'],
        params: z.object({ id: z.string() }),
        body: alertBody,
        response: { 200: writtenAlertRule },
      },
    },
    async ({ caller, params, body }) => {
      requireReading(caller)
      const id = idOf(params.id)
      if (id === undefined) throw noRule()
      const watched = await watchedBy(alerts.markets, caller.accountId, body)
      return withAccount({ ...alerts, caller }, caller.accountId, async (account) => {
        const former = await webhookOf(account, id)
        const { values, secret } = await columnsOf(account, caller, body, { ...alerts, watched, former })
        await account.client.query('alerts/change', [...values, id])
        const rule = await writtenRule(account, id, watched)
        return { success: true as const, rule, webhook_secret: secret }
      })
    },
  )
}
