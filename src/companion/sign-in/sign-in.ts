import { z } from 'zod'
import { epochOut } from '../../../contract/fields.ts'
import { dateOf } from '../../../platform/clock.ts'
import { ApiError, invalidArgs } from '../../../platform/errors.ts'
import { createKey } from '../../../platform/security/api-keys.ts'
import type { Account, CompanionRoute } from '../context.ts'
import { mostKeys } from '../keys/keys.ts'
import { withTfaAccount } from '../tfa/account-queue.ts'
import { methodsOf } from '../tfa/methods.ts'
import { proofBody, proofErrors, prove } from '../tfa/proof.ts'
import { linkErrors, mailedBody, personOf } from './link.ts'

/** Seconds that the key is valid. */
const keyLifetime = 30 * 86_400

const body = mailedBody.extend({
  ...proofBody.pick({ backup_code: true, tfa_method_id: true }).shape,
  totp: proofBody.shape.code.describe('Six digits, from the authenticator app'),
})

export const signIn: CompanionRoute = async (app, companion) => {
  app.post(
    '/api/v0/auth/sign-in',
    {
      config: {
        permissions: 'none',
        errors: {
          400: `${linkErrors[400]}. The second factor: \`2fa_verification_failed\` (with \`fail_count\`), \`invalid_tfa_method\` (several apps and no \`tfa_method_id\`)`,
          401: proofErrors[401],
          403: 'The account has a second factor, which is missing: `second_factor_required`',
          404: proofErrors[404],
          429: proofErrors[429],
        },
      },
      schema: {
        operationId: 'signInByMail',
        summary: 'Sign in with a mailed link or short code',
        description: `Uses the link and the short code up and returns an API key with all permissions of the account. It is valid for 30 days and is one of the person's API keys.

An account with 2FA also needs a code of an authenticator app (\`totp\`) or a \`backup_code\`. Link and short code stay valid when that is wrong. A code by e-mail is no second factor here, and
text messages are not sent.`,
        tags: ['sign-in'],
        body,
        response: {
          200: z.object({
            success: z.literal(true),
            id: z.int().describe('Id of the key in the list of API keys'),
            key: z.string().describe('Returned only here'),
            expires_at: epochOut,
          }),
        },
      },
    },
    async ({ body }) => {
      // The code is checked first: an invalid one must not take a place in the queue of an account.
      const { id } = await personOf(companion.postgres, body)
      const caller = { createdBy: id, origin: 'mail' as const }
      return withTfaAccount({ ...companion, caller }, id, async (account) => {
        await personOf(account.client, body)
        if ((await methodsOf(account)).length > 0) await proveSecondFactor(account, body)
        await account.client.query('sign-in/use', [id])
        return { success: true as const, ...(await createBrowserKey(account)) }
      })
    },
  )
}

async function proveSecondFactor(
  account: Account,
  { totp, backup_code, tfa_method_id }: z.infer<typeof body>,
): Promise<void> {
  if (totp === undefined && !backup_code)
    throw new ApiError(
      403,
      'second_factor_required',
      'This account has a second factor. Send a code of the authenticator app or a backup code, or sign in with an API key.',
    )
  await prove(account, { code: totp, backup_code, tfa_method_id, tfa_method: totp && 'totp' })
}

async function createBrowserKey({ id, client, clock }: Account) {
  const { rowCount } = await client.query('keys/list', [id, null])
  if (Number(rowCount) >= mostKeys)
    throw invalidArgs(`The account has ${mostKeys} API keys. Sign in with one of them and revoke others.`)
  const expiresAt = dateOf(clock, keyLifetime)
  const day = dateOf(clock).toISOString().slice(0, 10)
  const name = `Browser, signed in by mail on ${day}`
  const created = await createKey(client, { accountId: id, name, expiresAt, byMail: true })
  return { ...created, expires_at: expiresAt.getTime() / 1000 }
}
