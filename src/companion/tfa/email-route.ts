import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { ApiError } from '../../../platform/errors.ts'
import type { CompanionOptions } from '../options.ts'
import { withAccount } from './account-turn.ts'
import { sendCode } from './challenge.ts'

const body = z
  .object({
    secret: z
      .string()
      .trim()
      .max(200)
      .nullish()
      .describe('Of an earlier call: its challenge gets a fresh code, the old code dies'),
  })
  .nullish()

/** POST /api/v0/tfa/email (SPEC.md, endpoint 7). */
export const tfaEmailRoute: FastifyPluginAsyncZod<CompanionOptions> = async (
  app,
  { postgres, vault, onOutbox },
) => {
  app.post(
    '/api/v0/tfa/email',
    {
      config: {
        permissions: ['user_write'],
        errors: {
          400: '`missing_email` (also for a team, which has none), `email_not_verified`, `tfa_challenge_exists`, `challenge_not_found`, `2fa_expired`, `invalid_args`',
        },
      },
      schema: {
        summary: 'Send a 2FA code by e-mail',
        description: `Sends six digits to the account's verified address. They are good for 10 minutes, together with the \`secret\` that comes back.

Without \`secret\` each call makes a new challenge, at most one in 30 seconds (\`tfa_challenge_exists\`). With the secret of a challenge that
is still good, that challenge gets a fresh code, up to five in all. The mail is on its way, not yet delivered, when this answers.`,
        tags: ['2fa'],
        body,
        response: {
          200: z.object({
            success: z.literal(true),
            msg: z.string(),
            secret: z.string().describe('To be sent back with the code'),
          }),
        },
      },
    },
    async ({ caller, body }) => {
      const secret = await withAccount(postgres, caller.accountId, async (client) => {
        const { rows } = await client.query<{ email: string | null; email_verified: boolean }>(
          `SELECT CASE kind WHEN 'person' THEN email END AS email, email_verified FROM accounts WHERE id = $1`,
          [caller.accountId],
        )
        const { email, email_verified } = rows[0] ?? {}
        if (!email) throw new ApiError(400, 'missing_email', 'The account has no e-mail address.')
        if (!email_verified)
          throw new ApiError(400, 'email_not_verified', "The account's e-mail address is not verified.")
        const destination = {
          accountId: caller.accountId,
          methodId: null,
          channel: 'email',
          recipient: email,
        } as const
        return sendCode(client, vault, destination, body?.secret || undefined)
      })
      onOutbox()
      return { success: true as const, msg: '2FA code sent to your email address.', secret }
    },
  )
}
