import { z } from 'zod'
import { id, named } from '../../../contract/fields.ts'
import { ApiError, notFound } from '../../../platform/errors.ts'
import type { Account } from '../context.ts'
import { countFailure, forgetFailures, refuseWhileLocked } from './attempts.ts'
import { redeemBackupCode } from './backup-codes.ts'
import { challengeNotFound, findChallenge, redeemChallenge } from './challenge.ts'
import { plainTypedCode } from './codes.ts'
import { type Method, methodsOf } from './methods.ts'
import { redeemTotp } from './totp.ts'

// Some clients send an empty text for a field that they do not set.
const optional = z
  .string()
  .trim()
  .max(200)
  .nullish()
  .transform((text) => text || undefined)

/** The proof of a second factor: a code of one of the person's methods, or a backup code. */
export const proofBody = named('TfaProof', {
  tfa_method_id: id.nullish().describe('The method of the code. Required when there are several of its type'),
  tfa_method: optional.describe(
    '`totp`, `sms` or `email`. Default: the only method that the code can belong to',
  ),
  code: z
    .union([
      optional.transform((text) => text && plainTypedCode(text)),
      z
        .int()
        .min(0)
        .max(999_999)
        .transform((code) => String(code).padStart(6, '0')),
    ])
    .describe(
      'Six digits, from the authenticator app or as sent. Full-width digits are read, and spaces do not matter',
    ),
  secret: optional.describe('The `secret` that was returned when the code was sent. Not needed for `totp`'),
  backup_code: optional.describe('Can replace the code. Case and dashes do not matter'),
})
export type Proof = Partial<z.infer<typeof proofBody>>

/** The errors of a proof, for the OpenAPI document. */
export const proofErrors = {
  400: '`missing_auth_value`, `invalid_tfa_method` (unknown, or several of a type and no `tfa_method_id`), `challenge_not_found`, `2fa_expired`, `2fa_verification_failed` (with `fail_count`), `invalid_args`',
  401: '`auth_error`: no valid key. `invalid_backup_code`, with `fail_count`',
  404: 'Unknown `tfa_method_id`: `not_found`',
  429: '`tfa_locked`: five wrong codes in a row lock a method for 15 minutes, until `locked_until` (unix seconds); further attempts do not extend the lock. `too_many_requests`. See the header Retry-After',
}

/** The errors of a route that also sends a text message. */
export const smsErrors = {
  ...proofErrors,
  429: `${proofErrors[429]}. \`sms_rate_limited\`: too many text messages for the account or to the phone`,
}

const invalidMethod = (msg: string) => new ApiError(400, 'invalid_tfa_method', msg)
const wrongBackupCode = new ApiError(401, 'invalid_backup_code', 'The backup code is wrong or used.')

/**
 * Verifies a proof and uses it up. Throws 400, 401, 404 or 429 unless it is right. Call it in withTfaAccount. Returns the kind of
 * the proof: a method, e-mail or a backup code.
 */
export async function prove(account: Account, proof: Proof): Promise<Method | 'email' | 'backup'> {
  const { code, secret = '', backup_code = '' } = proof
  if (code === undefined && !backup_code)
    throw new ApiError(400, 'missing_auth_value', 'Send a code or a backup_code.')
  const method = code === undefined ? 'backup' : await methodOf(account, proof)
  const name = typeof method === 'string' ? method : String(method.id)
  await refuseWhileLocked(account, name)
  let isRight: boolean
  if (code === undefined || method === 'backup') isRight = await redeemBackupCode(account, backup_code)
  else if (method === 'email') isRight = await redeemChallenge(account, null, secret, code)
  else if (method.kind === 'sms') isRight = await redeemChallenge(account, method.id, secret, code)
  else isRight = await redeemTotp(account, method, code)
  if (!isRight) throw await countFailure(account, name, method === 'backup' ? wrongBackupCode : undefined)
  await forgetFailures(account, name)
  if (typeof method !== 'string')
    await account.client.query('UPDATE tfa_methods SET last_used_at = rackrate_now() WHERE id = $1', [
      method.id,
    ])
  return method
}

/** The method that a code belongs to. Throws 400 and 404. */
export async function methodOf(
  account: Account,
  { tfa_method_id, tfa_method, secret }: Proof,
): Promise<Method | 'email'> {
  if (tfa_method !== undefined && !['totp', 'sms', 'email'].includes(tfa_method))
    throw invalidMethod('tfa_method must be totp, sms or email')
  const methods = await methodsOf(account)
  if (tfa_method_id != null) {
    const chosen = methods.find((method) => method.id === tfa_method_id)
    if (!chosen) throw notFound('There is no such 2FA method')
    if (tfa_method !== undefined && tfa_method !== chosen.kind)
      throw invalidMethod(`Method ${chosen.id} is ${chosen.kind}`)
    return chosen
  }
  if (tfa_method === 'email') return 'email'
  if (tfa_method === undefined && secret !== undefined) {
    // A secret belongs to a challenge, and a challenge to a method.
    const challenge = await findChallenge(account, secret)
    const chosen = methods.find((method) => method.id === challenge?.method_id)
    if (chosen) return chosen
    if (challenge) return 'email'
  }
  const kind = tfa_method ?? 'totp'
  const [only, another] = methods.filter((method) => method.kind === kind)
  if (another) throw invalidMethod(`There are several ${kind} methods: send tfa_method_id`)
  if (only) return only
  if (tfa_method === undefined && secret !== undefined) throw challengeNotFound()
  throw invalidMethod(`There is no ${kind} method`)
}
