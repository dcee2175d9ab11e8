import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { AlertEntry } from '../../contract/alerts.ts'
import { hour } from '../../contract/durations.ts'
import { idOf } from '../../contract/fields.ts'
import { ApiError } from '../../platform/errors.ts'
import { withAccount } from '../companion/context.ts'
import { writeMessage } from '../companion/outbox/write.ts'
import { verifiedEmail } from '../companion/tfa/send-email-code.ts'
import { isDelivered } from '../rules/webhook/send.ts'
import { secretPurpose } from '../rules/webhook/sign.ts'
import type { AlertsRoute } from './context.ts'
import { mailOf } from './mail.ts'
import { noRule } from './rules.ts'
import { hookRequest } from './webhook/request.ts'

interface Hook {
  name: string
  source: string | null
  email: boolean
  webhook_url: string | null
  webhook_secret_sealed: Buffer | null
}

const answer = z.object({
  success: z.literal(true),
  email: z.boolean().describe('true: mail was written'),
  webhook: z
    .object({
      delivered: z.boolean(),
      status: z.int().nullable().describe('Status of the answer'),
      reason: z
        .enum(['refused_address', 'no_answer'])
        .nullable()
        .describe(
          'The reason why there is no status: the address is not public, or there was no answer within ten seconds',
        ),
    })
    .nullable()
    .describe('null: the rule has no webhook'),
})

export const testAlert: AlertsRoute = async (app, alerts) => {
  app.post(
    '/api/v0/alerts/:id/test',
    {
      config: {
        permissions: ['machine_write'],
        access: 'host',
        errors: { 404: 'The account has no such rule: `not_found`' },
      },
      schema: {
        operationId: 'testAlert',
        summary: 'Test the delivery of an alert rule',
        description:
          "Sends one message of the type `alert.test` to the rule's mail address and webhook. An account can do this once every ten seconds.",
        tags: ['alerts'],
        params: z.object({ id: z.string() }),
        response: { 200: answer },
      },
    },
    async ({ caller, params }) => {
      const { accountId, createdBy } = caller
      const ruleId = idOf(params.id)
      const slot = Math.floor(alerts.clock.now())
      const hook = await withAccount(alerts, accountId, async (account) => {
        const { client } = account
        const { rows } = await client.query<Hook>('alerts/hook', [accountId, ruleId])
        const [hook] = rows
        if (!hook) throw noRule()
        const { rowCount } = await client.query('alerts/begin_test', [accountId])
        if (rowCount === 0)
          throw new ApiError(429, 'too_many_requests', 'A delivery was just tested. Try again later.', {
            retryAfter: 10,
          })
        if (!hook.email) return hook
        const recipient = await verifiedEmail({ ...account, id: createdBy })
        const mail = mailOf([{ ...hook, entries: [testEntry(slot)] }], slot, alerts.publicUrl)
        const counted = { kind: 'alert', sender: createdBy, recipient, isOwn: true } as const
        await writeMessage(account, { ...counted, ...mail, channel: 'email', usefulFor: hour })
        return hook
      })
      if (hook.email) alerts.onOutbox()
      const { name, source, email, webhook_url: url, webhook_secret_sealed: sealed } = hook
      if (url === null || sealed === null) return { success: true as const, email, webhook: null }
      const secret = alerts.vault.open(sealed, secretPurpose(accountId))
      const { headers, body } = hookRequest(
        { rule_id: ruleId ?? 0, name, source, slot, entries: [testEntry(slot)] },
        { url, secret, id: randomUUID(), timestamp: slot, type: 'alert.test' },
      )
      const sent = await alerts.send(url, headers, body)
      return { success: true as const, email, webhook: { delivered: isDelivered(sent), ...sent } }
    },
  )
}

const testEntry = (slot: number): AlertEntry => ({
  what: 'fired',
  machine_id: null,
  since: slot,
  value: null,
  limit: null,
  text: 'This is a test.',
})
