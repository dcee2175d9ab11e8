import { z } from 'zod'
import { ApiError } from '../../../platform/errors.ts'
import { loadSql } from '../../../platform/stores/sql-files.ts'
import type { Account, CompanionRoute } from '../context.ts'
import { withTfaAccount } from './account-queue.ts'
import { countFailure, forgetFailures, refuseWhileLocked } from './attempts.ts'
import { replaceBackupCodes } from './backup-codes.ts'
import { challengeNotFound, findChallenge, redeemChallenge } from './challenge.ts'
import { confirmationTime, label, methodsOf } from './methods.ts'
import { proofBody, proofErrors } from './proof.ts'
import { redeemTotp } from './totp.ts'

const confirmation = proofBody.pick({ code: true, secret: true, tfa_method: true }).extend({ label })

export const confirmMethod: CompanionRoute = async (app, companion) => {
  app.post(
    '/api/v0/tfa/test-submit',
    {
      config: {
        permissions: ['user_write'],
        access: 'person',
        refusal: 'team_user_forbidden',
        errors: proofErrors,
      },
      schema: {
        summary: 'Confirm a 2FA method',
        description: `Takes a code of the method that was set up: from the app, or as sent together with its \`secret\`. From then on the method is in force, and other
methods that were set up and not confirmed are deleted.`,
        tags: ['2fa'],
        body: confirmation,
        response: {
          200: z.object({
            success: z.literal(true),
            tfa_method_id: z.int(),
            backup_codes: z
              .array(z.string())
              .optional()
              .describe('Ten codes, with the first method only. Returned only here'),
          }),
        },
      },
    },
    async ({ caller, body }) =>
      withTfaAccount(companion, caller.accountId, async (account) => {
        const methodId = await verifyCode(account, body)
        const { client, id } = account
        await client.query(loadSql('postgres/queries/tfa/confirm'), [methodId, body.label || null])
        // They were set up when less proof was required.
        await client.query(loadSql('postgres/queries/tfa/delete_unconfirmed'), [id])
        // For the same reason, backup codes from before the first method are replaced.
        const isFirst = (await methodsOf(account)).length === 1
        const codes = isFirst && (await replaceBackupCodes(account))
        return { success: true as const, tfa_method_id: methodId, ...(codes && { backup_codes: codes }) }
      }),
  )
}

/** The id of the method that is being set up and that the code is of. Throws 400 and 429. */
async function verifyCode(
  account: Account,
  { tfa_method = 'totp', code, secret = '' }: z.infer<typeof confirmation>,
): Promise<number> {
  if (code === undefined) throw new ApiError(400, 'missing_auth_value', 'Send the code.')
  await refuseWhileLocked(account, 'enrol')
  const isTotp = tfa_method === 'totp'
  const methodId = isTotp ? undefined : (await findChallenge(account, secret))?.method_id
  if (!isTotp && !methodId) throw challengeNotFound()
  const { rows } = await account.client.query<{ id: number; secret_sealed: Buffer }>(
    loadSql('postgres/queries/tfa/unconfirmed'),
    [account.id, tfa_method, methodId, confirmationTime],
  )
  const [method] = rows
  if (!method)
    throw new ApiError(400, 'invalid_tfa_method', 'No such method is being set up. Set it up again.')
  const isRight = isTotp
    ? await redeemTotp(account, method, code)
    : await redeemChallenge(account, method.id, secret, code)
  if (!isRight) throw await countFailure(account, 'enrol')
  await forgetFailures(account, 'enrol')
  return method.id
}
