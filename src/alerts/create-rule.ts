import { alertLimits } from '../../contract/alert-kinds.ts'
import { alertBody, writtenAlertRule } from '../../contract/alerts.ts'
import { invalidArgs } from '../../platform/errors.ts'
import { answerOnce, idempotencyErrors, idempotencyHeaders } from '../../platform/http/idempotency.ts'
import { one } from '../../platform/stores/rows.ts'
import { withAccount } from '../companion/context.ts'
import { requireReading } from '../rules/access.ts'
import type { AlertsRoute } from './context.ts'
import { columnsOf, watchedBy, writtenRule } from './rules.ts'

export const createAlert: AlertsRoute = async (app, alerts) => {
  app.post(
    '/api/v0/alerts',
    {
      config: {
        permissions: ['machine_write'],
        access: 'host',
        errors: {
          ...idempotencyErrors,
          400: '`invalid_args`; `missing_email` or `email_not_verified` with `email`',
          404: 'The account has no such machine: `not_found`',
        },
      },
      schema: {
        operationId: 'createAlert',
        summary: 'Create an alert rule',
        description: `The rule is evaluated at every market snapshot, starting with the next one. It sends one message when it fires and one when it
resolves. It acts with the key of this request, which also needs machine_read. When that key ends, the rule stops. An account can have ${alertLimits.rules} rules.`,
        tags: ['alerts'],
        headers: idempotencyHeaders,
        body: alertBody,
        response: { 200: writtenAlertRule },
      },
    },
    async (request) => {
      const { caller, body } = request
      requireReading(caller)
      // A repeat gets its answer even if the machine is gone. No session is held here, since this needs one of its own.
      const watching = watchedBy(alerts.markets, caller.accountId, body)
      await Promise.allSettled([watching])
      return withAccount({ ...alerts, caller }, caller.accountId, async (account) => {
        const { id, client, vault } = account
        return answerOnce(client, { request, vault }, async () => {
          const count = 'SELECT count(*)::int AS rules FROM alert_rules WHERE account_id = $1'
          const { rows } = await client.query<{ rules: number }>(count, [id])
          if (one(rows).rules >= alertLimits.rules)
            throw invalidArgs(`An account can have at most ${alertLimits.rules} rules`)
          const watched = await watching
          const { values, secret } = await columnsOf(account, caller, body, { ...alerts, watched })
          const created = await client.query<{ id: number }>('alerts/create', values)
          const rule = await writtenRule(account, one(created.rows).id, watched)
          return { success: true as const, rule, webhook_secret: secret }
        })
      })
    },
  )
}
