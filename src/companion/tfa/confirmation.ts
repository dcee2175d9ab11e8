import type { z } from 'zod'
import { ApiError } from '../../../platform/errors.ts'
import type { Account } from '../context.ts'
import { countFailure, forgetFailures, refuseWhileLocked } from './attempts.ts'
import { endAuthorization } from './authorization.ts'
import { replaceBackupCodes } from './backup-codes.ts'
import { challengeNotFound, findChallenge, redeemChallenge } from './challenge.ts'
import { confirmationTime, label, methodsOf, phoneNumber } from './methods.ts'
import { proofBody } from './proof.ts'
import { redeemTotp } from './totp.ts'

export const confirmationBody = proofBody
  .pick({ code: true, secret: true, tfa_method: true })
  .extend({ label, phone_number: phoneNumber.describe('The phone that is being set up, as a check') })
  .meta({ id: 'TfaConfirmation' })
type Confirmation = z.infer<typeof confirmationBody>

/** Activates the method that is being set up and that the code belongs to. Throws 400 and 429. */
export async function confirm(account: Account, body: Confirmation) {
  const methodId = await verifyCode(account, body)
  const { client, id } = account
  await client.query('tfa/confirm', [methodId, body.label || null])
  // Unconfirmed methods were set up when less proof was required.
  await client.query('tfa/delete_unconfirmed', [id])
  await endAuthorization(account)
  // For the same reason, backup codes from before the first method are replaced.
  const isFirst = (await methodsOf(account)).length === 1
  const codes = isFirst && (await replaceBackupCodes(account))
  return { tfa_method_id: methodId, ...(codes && { backup_codes: codes }) }
}

async function verifyCode(
  account: Account,
  { tfa_method = 'totp', code, secret = '', phone_number }: Confirmation,
): Promise<number> {
  if (code === undefined) throw new ApiError(400, 'missing_auth_value', 'Send the code.')
  await refuseWhileLocked(account, 'enrol')
  const isTotp = tfa_method === 'totp'
  const methodId = isTotp ? undefined : (await findChallenge(account, secret))?.method_id
  if (!isTotp && !methodId) throw challengeNotFound()
  const { rows } = await account.client.query<{ id: number; secret_sealed: Buffer; phone: string | null }>(
    'tfa/unconfirmed',
    [account.id, tfa_method, methodId, confirmationTime],
  )
  const [method] = rows
  if (!method)
    throw new ApiError(400, 'invalid_tfa_method', 'No such method is being set up. Set it up again.')
  if (method.phone && phone_number && method.phone !== phone_number)
    throw new ApiError(400, 'phone_number_mismatch', 'The code was sent to another phone.')
  const isRight = isTotp
    ? await redeemTotp(account, method, code)
    : await redeemChallenge(account, method.id, secret, code)
  if (!isRight) throw await countFailure(account, 'enrol')
  await forgetFailures(account, 'enrol')
  return method.id
}
