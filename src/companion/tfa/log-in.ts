import { z } from 'zod'
import { hour } from '../../../contract/durations.ts'
import { dateOf } from '../../../platform/clock.ts'
import { ApiError } from '../../../platform/errors.ts'
import { createKey } from '../../../platform/security/api-keys.ts'
import type { Caller } from '../../../platform/security/auth.ts'
import type { Account, CompanionRoute } from '../context.ts'
import { withTfaAccount } from './account-queue.ts'
import { countBackupCodes } from './backup-codes.ts'
import { proofBody, proofErrors, prove } from './proof.ts'

const lifetime = 24 * hour

export const logInWithTfa: CompanionRoute = async (app, companion) => {
  app.post(
    '/api/v0/tfa',
    {
      config: {
        permissions: ['user_write'],
        access: 'person',
        refusal: 'team_user_forbidden',
        errors: {
          ...proofErrors,
          401: '`auth_error`: no valid key. `missing_auth_value`: neither a code nor a backup code. `invalid_backup_code`, with `fail_count`',
        },
      },
      schema: {
        operationId: 'logInWithTfa',
        summary: 'Get a session key with a 2FA code',
        description: `Needs a proof, as for replacing the backup codes. Returns a session key with the same permissions as the key of the request. It
is valid for 24 hours and ends with that key. Clients send it instead of that key.`,
        tags: ['2fa'],
        body: proofBody,
        response: {
          200: z.object({
            success: z.literal(true),
            msg: z.string(),
            session_key: z.string().describe('Returned only here'),
            backup_codes_remaining: z.int().optional().describe('After a backup code was used'),
          }),
        },
      },
    },
    async ({ caller, body }) => {
      if (body.code === undefined && !body.backup_code)
        throw new ApiError(401, 'missing_auth_value', 'Send a code or a backup_code.')
      return withTfaAccount({ ...companion, caller }, caller.accountId, async (account) => {
        const provedWith = await prove(account, body)
        return {
          success: true as const,
          msg: 'Logged in.',
          session_key: await createSession(account, caller),
          ...(provedWith === 'backup' && { backup_codes_remaining: await countBackupCodes(account) }),
        }
      })
    },
  )
}

async function createSession({ id, client, clock }: Account, caller: Caller): Promise<string> {
  await client.query('keys/delete_expired_sessions', [caller.keyId])
  const { key } = await createKey(client, {
    accountId: id,
    createdBy: caller.createdBy,
    name: '2FA session',
    permissions: caller.permissions,
    expiresAt: dateOf(clock, lifetime),
    standsFor: caller.keyId,
  })
  return key
}
