import { z } from 'zod'
import { named } from '../../../contract/fields.ts'
import type { Account, CompanionRoute } from '../context.ts'
import { withTfaAccount } from './account-queue.ts'
import { challengeNotFound, findChallenge, sendCode } from './challenge.ts'
import { confirmationTime, type Phone } from './methods.ts'
import { smsErrors } from './proof.ts'

const smsChallenge = named('SmsChallenge', {
  secret: z.string().trim().min(1).max(200).describe('The secret that the first request returned'),
})

const resentSmsCode = named('ResentSmsCode', {
  success: z.literal(true),
  msg: z.string(),
  secret: z.string(),
})

export const resendSmsCode: CompanionRoute = async (app, companion) => {
  const operations = [
    ['/api/v0/tfa/resend', 'resendSmsCode'],
    ['/api/v0/tfa/sms/resend', 'resendTfaSms'],
  ] as const
  for (const [path, operationId] of operations)
    app.post(
      path,
      {
        config: {
          permissions: ['user_write'],
          access: 'person',
          refusal: 'team_user_forbidden',
          errors: {
            ...smsErrors,
            400: '`challenge_not_found`, `2fa_expired`, `tfa_challenge_exists`, `invalid_args`',
          },
        },
        schema: {
          operationId,
          summary: 'Send a new code for an SMS challenge',
          description:
            'The old code becomes invalid. A challenge gets at most five codes, and the limits of sending a code by SMS hold.',
          tags: ['2fa'],
          body: smsChallenge,
          response: { 200: resentSmsCode },
        },
      },
      async ({ caller, body: { secret } }) => {
        await withTfaAccount(companion, caller.accountId, async (account) => {
          const { id: methodId, phone: recipient, is_confirmed: isOwn } = await phoneOf(account, secret)
          await sendCode(account, { methodId, channel: 'sms', recipient, isOwn }, secret)
        })
        companion.onOutbox()
        return { success: true as const, msg: '2FA Sent', secret }
      },
    )
}

/** The phone of a challenge, if it is confirmed or can still be. Throws 400. */
async function phoneOf(account: Account, secret: string): Promise<Phone & { is_confirmed: boolean }> {
  const challenge = await findChallenge(account, secret)
  const { rows } = await account.client.query<Phone & { is_confirmed: boolean }>('tfa/phone', [
    challenge?.method_id,
    confirmationTime,
  ])
  if (!rows[0]) throw challengeNotFound()
  return rows[0]
}
