import { z } from 'zod'
import { ApiError } from '../../../platform/errors.ts'
import { one } from '../../../platform/stores/rows.ts'
import type { Account, CompanionRoute } from '../context.ts'
import { withTfaAccount } from './account-queue.ts'
import { codeMinutes, mostSends, resendSeconds, sendCode } from './challenge.ts'

const body = z
  .object({
    secret: z
      .string()
      .trim()
      .max(200)
      .nullish()
      .describe('From an earlier request: its challenge gets a new code, and the old code becomes invalid'),
  })
  .nullish()

export const sendEmailCode: CompanionRoute = async (app, companion) => {
  app.post(
    '/api/v0/tfa/email',
    {
      config: {
        permissions: ['user_write'],
        errors: {
          400: '`missing_email` (also for a team, which has no address), `email_not_verified`, `tfa_challenge_exists`, `challenge_not_found`, `2fa_expired`, `invalid_args`',
        },
      },
      schema: {
        operationId: 'sendEmailCode',
        summary: 'Send a 2FA code by e-mail',
        description: `Sends a code of six digits to the account's verified address. The code is valid for ${codeMinutes} minutes, together with the \`secret\` in the answer.

Without \`secret\` each request creates a new challenge, at most one in ${resendSeconds} seconds (\`tfa_challenge_exists\`). With the secret of a valid challenge, that
challenge gets a new code, up to ${mostSends} in all. The mail may arrive after this answer.`,
        tags: ['2fa'],
        body,
        response: {
          200: z.object({
            success: z.literal(true),
            msg: z.string(),
            secret: z.string().describe('Send it together with the code'),
          }),
        },
      },
    },
    async ({ caller, body }) => {
      const secret = await withTfaAccount(companion, caller.accountId, async (account) => {
        const recipient = await verifiedEmail(account)
        return sendCode(
          account,
          { methodId: null, channel: 'email', recipient, isOwn: true },
          body?.secret || undefined,
        )
      })
      companion.onOutbox()
      return { success: true as const, msg: '2FA code sent to your email address.', secret }
    },
  )
}

/** The account's address. Throws 400 without a verified one. */
export async function verifiedEmail({ id, client }: Account): Promise<string> {
  const { rows } = await client.query<{ email: string | null; email_verified: boolean }>('tfa/email', [id])
  const { email, email_verified } = one(rows)
  if (!email) throw new ApiError(400, 'missing_email', 'The account has no e-mail address.')
  if (!email_verified)
    throw new ApiError(400, 'email_not_verified', "The account's e-mail address is not verified.")
  return email
}
