import type pg from 'pg'
import { z } from 'zod'
import { id } from '../../../contract/fields.ts'
import { ApiError, notFound } from '../../../platform/errors.ts'
import type { Vault } from '../../../platform/security/vault.ts'
import type { Postgres } from '../../../platform/stores/postgres.ts'
import { loadSql } from '../../../platform/stores/sql.ts'
import { withAccount } from './account-turn.ts'
import { countFailure, forgetFailures, lockOf } from './attempts.ts'
import { redeemBackupCode } from './backup-codes.ts'
import { challengeNotFound, find, redeem } from './challenge.ts'
import { redeemTotp } from './totp.ts'

// An empty text is what some clients send for "not given".
const optional = z
  .string()
  .trim()
  .max(200)
  .nullish()
  .transform((text) => text || undefined)

/** How a person proves to hold a second factor: a code of one of their methods, or a backup code. */
export const proofBody = z.object({
  tfa_method_id: id.nullish().describe('Which method; needed when there are several of a type'),
  tfa_method: optional.describe('`totp`, `sms` or `email`. Without it, the method that it can only be'),
  code: z
    .union([
      optional,
      z
        .int()
        .min(0)
        .max(999_999)
        .transform((code) => String(code).padStart(6, '0')),
    ])
    .describe('Six digits, from the authenticator app or as sent'),
  secret: optional.describe('What the sending of the code returned; not needed for `totp`'),
  backup_code: optional.describe('Instead of a code. Any case, with dashes or without'),
})
export type Proof = z.infer<typeof proofBody>

/** Refusals of a proof, for the documents of the routes that take one. */
export const proofErrors = {
  400: '`missing_auth_value`, `invalid_tfa_method` (unknown, or several of a type and no `tfa_method_id`), `challenge_not_found`, `2fa_expired`, `2fa_verification_failed` (with `fail_count`), `invalid_args`',
  401: '`auth_error`: no valid key; `invalid_backup_code`, with `fail_count`',
  404: 'Unknown `tfa_method_id`: `not_found`',
  429: 'After five wrong codes in a row a method is locked for 15 minutes: `tfa_locked`, with `locked_until` (unix seconds), which repeats do not move. Or too many requests. See the header Retry-After',
}

export interface Method {
  id: number
  kind: 'totp' | 'sms'
  label: string
  phone: string | null
  secret_sealed: Buffer
  created_at: number
}

/** The confirmed methods of an account, oldest first. */
export async function methodsOf(client: pg.PoolClient, accountId: number): Promise<Method[]> {
  const { rows } = await client.query<Method>(loadSql('postgres/queries/tfa/methods'), [accountId])
  return rows
}

const missing = () => new ApiError(400, 'missing_auth_value', 'Send a code or a backup_code.')
const invalidMethod = (msg: string) => new ApiError(400, 'invalid_tfa_method', msg)
const wrongCode = () => new ApiError(400, '2fa_verification_failed', 'The code is wrong.')
const wrongBackupCode = () => new ApiError(401, 'invalid_backup_code', 'The backup code is wrong or used.')

type Work<T> = (client: pg.PoolClient) => Promise<T>

/** Runs `work` in the transaction that uses up the proof; throws the refusal when the proof isn't good. */
export async function withProof<T>(
  postgres: Postgres,
  vault: Vault,
  accountId: number,
  proof: Proof,
  work: Work<T>,
  isNeeded: (client: pg.PoolClient) => Promise<boolean> = async () => true,
): Promise<T> {
  const result = await withAccount(postgres, accountId, async (client) => {
    const refusal = (await isNeeded(client)) ? await refuse(client, vault, accountId, proof) : undefined
    return refusal ?? { done: await work(client) }
  })
  if (result instanceof ApiError) throw result
  return result.done
}

/** With a proof when the account has a method already; the first needs none. */
export const withProofIfAny = <T>(
  postgres: Postgres,
  vault: Vault,
  accountId: number,
  proof: Proof,
  work: Work<T>,
): Promise<T> =>
  withProof(
    postgres,
    vault,
    accountId,
    proof,
    work,
    async (client) => (await methodsOf(client, accountId)).length > 0,
  )

/**
 * Verifies a proof and uses it up. Returns the refusal instead of throwing it, since the transaction has to be committed: a wrong code
 * counts. The account's row has to be locked.
 */
async function refuse(
  client: pg.PoolClient,
  vault: Vault,
  accountId: number,
  proof: Proof,
): Promise<ApiError | undefined> {
  const { code, backup_code } = proof
  if (code === undefined && backup_code === undefined) return missing()
  if (code === undefined)
    return attempt(client, accountId, 'backup', wrongBackupCode, () =>
      redeemBackupCode(client, vault, accountId, backup_code ?? ''),
    )
  const method = await methodOf(client, vault, accountId, proof)
  if (method instanceof ApiError) return method
  return attempt(client, accountId, method === 'email' ? 'email' : String(method.id), wrongCode, () => {
    if (method !== 'email' && method.kind === 'totp') return redeemTotp(client, vault, method, code)
    const methodId = method === 'email' ? null : method.id
    return redeem(client, vault, { accountId, methodId }, proof.secret ?? '', code)
  })
}

async function attempt(
  client: pg.PoolClient,
  accountId: number,
  method: string,
  wrong: () => ApiError,
  verify: () => Promise<boolean | ApiError>,
): Promise<ApiError | undefined> {
  const locked = await lockOf(client, accountId, method)
  if (locked) return locked
  const result = await verify()
  if (result instanceof ApiError) return result
  if (!result) return countFailure(client, accountId, method, wrong())
  await forgetFailures(client, accountId, method)
  return undefined
}

/** Which method the code is said to be of. */
async function methodOf(
  client: pg.PoolClient,
  vault: Vault,
  accountId: number,
  { tfa_method_id, tfa_method, secret }: Proof,
): Promise<Method | 'email' | ApiError> {
  if (tfa_method !== undefined && !['totp', 'sms', 'email'].includes(tfa_method))
    return invalidMethod('tfa_method is totp, sms or email')
  const methods = await methodsOf(client, accountId)
  if (tfa_method_id != null) {
    const chosen = methods.find((method) => method.id === tfa_method_id)
    if (!chosen) return notFound('There is no such 2FA method')
    return tfa_method === undefined || tfa_method === chosen.kind
      ? chosen
      : invalidMethod(`Method ${chosen.id} is ${chosen.kind}`)
  }
  if (tfa_method === 'email') return 'email'
  if (tfa_method === undefined && secret !== undefined) {
    // A secret belongs to a challenge, and that to a method.
    const challenge = await find(client, vault, accountId, secret)
    const chosen = methods.find((method) => method.id === challenge?.method_id)
    if (chosen) return chosen
    if (challenge) return 'email'
  }
  const kind = tfa_method ?? 'totp'
  const [only, another] = methods.filter((method) => method.kind === kind)
  if (another) return invalidMethod(`There are several ${kind} methods: send tfa_method_id`)
  if (only) return only
  if (tfa_method === undefined && secret !== undefined) return challengeNotFound()
  return invalidMethod(`There is no ${kind} method`)
}
