import { z } from 'zod'
import { named } from '../../../contract/fields.ts'
import { ApiError } from '../../../platform/errors.ts'
import { one } from '../../../platform/stores/rows.ts'
import type { Account, CompanionRoute } from '../context.ts'
import { smsLimits } from '../outbox/limits.ts'
import { withTfaAccount } from './account-queue.ts'
import { proveOrAuthorized } from './authorization.ts'
import { sendCode } from './challenge.ts'
import { label, type Method, methodsOf, type Phone, phoneNumber, setUpRules } from './methods.ts'
import { proofBody, smsErrors } from './proof.ts'

const smsBody = proofBody.extend({ phone_number: phoneNumber, label }).meta({ id: 'SmsCodeRequest' })
type SmsBody = z.infer<typeof smsBody>

const sentSmsCode = named('SentSmsCode', {
  success: z.literal(true),
  msg: z.string(),
  secret: z.string().describe('Send it together with the code'),
  tfa_method_id: z.int(),
})

export const sendSmsCode: CompanionRoute = async (app, companion) => {
  const operations = [
    ['/api/v0/tfa/test', 'sendSmsCode'],
    ['/api/v0/tfa/sms', 'sendTfaSms'],
  ] as const
  for (const [path, operationId] of operations)
    app.post(
      path,
      {
        config: {
          permissions: ['user_write'],
          access: 'person',
          refusal: 'team_user_forbidden',
          errors: { ...smsErrors, 400: `${smsErrors[400]}, \`tfa_challenge_exists\`` },
        },
        schema: {
          operationId,
          summary: 'Send a 2FA code by SMS',
          description: `Sends a code to the account's SMS method or, with a new \`phone_number\`, sets that phone up as a method and sends a code to it. At most one code in
30 seconds. ${smsLimits}

${setUpRules}`,
          tags: ['2fa'],
          body: smsBody.nullish(),
          response: { 200: sentSmsCode },
        },
      },
      async ({ caller, body }) => {
        const sent = await withTfaAccount(companion, caller.accountId, async (account) => {
          const methods = await methodsOf(account)
          const known = knownPhone(methods, body ?? {})
          if (!known && methods.length > 0) await proveOrAuthorized(account, body ?? {})
          const { id: methodId, phone: recipient } = known ?? (await addPhone(account, body ?? {}))
          const isOwn = known !== undefined
          const secret = await sendCode(account, { methodId, channel: 'sms', recipient, isOwn })
          return { success: true as const, msg: '2FA Sent', secret, tfa_method_id: methodId }
        })
        companion.onOutbox()
        return sent
      },
    )
}

/** The confirmed phone that a request refers to; undefined: a new phone. Throws 400. */
function knownPhone(methods: Method[], { phone_number, tfa_method_id }: Partial<SmsBody>): Phone | undefined {
  const phones = methods.flatMap(({ id, phone }) => (phone ? [{ id, phone }] : []))
  if (phone_number) return phones.find(({ phone }) => phone === phone_number)
  const [only, another] = tfa_method_id ? phones.filter(({ id }) => id === tfa_method_id) : phones
  if (only && !another) return only
  throw new ApiError(
    400,
    'invalid_tfa_method',
    another
      ? 'There are several sms methods: send tfa_method_id'
      : 'There is no sms method: send a phone_number',
  )
}

/** Sets up a phone. If it was set up before and not confirmed, the time for its confirmation starts again. */
async function addPhone({ id, client }: Account, { phone_number, label }: Partial<SmsBody>): Promise<Phone> {
  const known = await client.query<Phone>('tfa/renew_phone', [id, phone_number])
  if (known.rows[0]) return known.rows[0]
  const { rows } = await client.query<Phone>('tfa/create_phone', [id, label ?? '', phone_number])
  return one(rows)
}
