import { autopilotBody, writtenAutopilotRule } from '../../contract/autopilot.ts'
import { autopilotLimits } from '../../contract/autopilot-kinds.ts'
import { invalidArgs } from '../../platform/errors.ts'
import { answerOnce, idempotencyErrors, idempotencyHeaders } from '../../platform/http/idempotency.ts'
import { one } from '../../platform/stores/rows.ts'
import { withAccount } from '../companion/context.ts'
import { requireReading } from '../rules/access.ts'
import type { AutopilotRoute } from './context.ts'
import { columnsOf, placeOf, rulesOf } from './rules.ts'

export const createAutopilotRule: AutopilotRoute = async (app, autopilot) => {
  app.post(
    '/api/v0/metrics/autopilot/rules',
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
        operationId: 'createAutopilotRule',
        summary: 'Create an autopilot rule',
        description: `The rule only makes suggestions until its stage is set. It acts with the key of this request, which also needs machine_read: when that key ends, the
rule stops. An account can have ${autopilotLimits.rules} rules.`,
        tags: ['autopilot'],
        headers: idempotencyHeaders,
        body: autopilotBody,
        response: { 200: writtenAutopilotRule },
      },
    },
    async (request) => {
      const { caller, body } = request
      requireReading(caller)
      // A repeat gets its answer even if the machine is gone. No session is held here, since this needs one of its own.
      const place = placeOf(autopilot, caller.accountId, body)
      await Promise.allSettled([place])
      return withAccount({ ...autopilot, caller }, caller.accountId, async (account) => {
        const { id, client, vault } = account
        return answerOnce(client, { request, vault }, async () => {
          const count = 'SELECT count(*)::int AS rules FROM autopilot_rules WHERE account_id = $1'
          const { rows } = await client.query<{ rules: number }>(count, [id])
          if (one(rows).rules >= autopilotLimits.rules)
            throw invalidArgs(`An account can have at most ${autopilotLimits.rules} rules`)
          const { values, secret } = await columnsOf(account, caller, body, {
            ...autopilot,
            place: await place,
          })
          const query = 'autopilot/create'
          const created = await client.query<{ id: number }>(query, values)
          const rule = one(await rulesOf(client, id, one(created.rows).id))
          return { success: true as const, rule, webhook_secret: secret }
        })
      })
    },
  )
}
