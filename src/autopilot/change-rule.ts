import { z } from 'zod'
import { autopilotBody, writtenAutopilotRule } from '../../contract/autopilot.ts'
import { idOf } from '../../contract/fields.ts'
import { one } from '../../platform/stores/rows.ts'
import { withAccount } from '../companion/context.ts'
import { requireReading } from '../rules/access.ts'
import type { AutopilotRoute } from './context.ts'
import { columnsOf, noRule, placeOf, rulesOf } from './rules.ts'

export const changeAutopilotRule: AutopilotRoute = async (app, autopilot) => {
  app.put(
    '/api/v0/metrics/autopilot/rules/:id',
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
        operationId: 'changeAutopilotRule',
        summary: 'Change an autopilot rule',
        description:
          'Replaces the whole rule. It then only makes suggestions, since its dry run belongs to the rule before.',
        tags: ['autopilot'],
        params: z.object({ id: z.string() }),
        body: autopilotBody,
        response: { 200: writtenAutopilotRule },
      },
    },
    async ({ caller, params, body }) => {
      requireReading(caller)
      const id = idOf(params.id)
      if (id === undefined) throw noRule()
      const place = await placeOf(autopilot, caller.accountId, body)
      return withAccount({ ...autopilot, caller }, caller.accountId, async (account) => {
        const [before] = await rulesOf(account.client, account.id, id)
        if (!before) throw noRule()
        const former = before.webhook_url
        const { values, secret } = await columnsOf(account, caller, body, { ...autopilot, place, former })
        await account.client.query('autopilot/change', [...values, id])
        const rule = one(await rulesOf(account.client, account.id, id))
        return { success: true as const, rule, webhook_secret: secret }
      })
    },
  )
}
