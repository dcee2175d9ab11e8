import type pg from 'pg'
import { ApiError } from '../../../platform/errors.ts'
import type { Vault } from '../../../platform/security/vault.ts'
import { countFailure, forgetFailures, lockOf } from './attempts.ts'
import { challengeNotFound, find, redeem } from './challenge.ts'
import type { Proof } from './proof.ts'
import { newTotpSecret, redeemTotp, sealTotpSecret } from './totp.ts'

/** How long a method that was set up waits for its confirmation, in seconds. */
const patience = 900

/** Sets up an authenticator app in place of one that was set up and not confirmed. */
export async function addTotp(client: pg.PoolClient, vault: Vault, accountId: number, label: string) {
  const secret = newTotpSecret()
  await client.query(
    `DELETE FROM tfa_methods WHERE account_id = $1 AND kind = 'totp' AND confirmed_at IS NULL`,
    [accountId],
  )
  const { rows } = await client.query<{ id: number; name: string }>(
    `INSERT INTO tfa_methods (account_id, kind, label, secret_sealed) VALUES ($1, 'totp', $2, $3)
     RETURNING id, (SELECT coalesce(email, name) FROM accounts WHERE id = $1) AS name`,
    [accountId, label, sealTotpSecret(vault, secret)],
  )
  return { secret, ...(rows[0] as { id: number; name: string }) }
}

export interface Phone {
  id: number
  phone: string
}

/** Sets up a phone; the same one again gets more time. */
export async function addPhone(
  client: pg.PoolClient,
  accountId: number,
  phone: string,
  label: string,
): Promise<Phone> {
  const { rows: known } = await client.query<Phone>(
    `UPDATE tfa_methods SET created_at = now() WHERE account_id = $1 AND phone = $2 AND confirmed_at IS NULL AND deleted_at IS NULL
     RETURNING id, phone`,
    [accountId, phone],
  )
  if (known[0]) return known[0]
  const { rows } = await client.query<Phone>(
    `INSERT INTO tfa_methods (account_id, kind, label, phone) VALUES ($1, 'sms', $2, $3) RETURNING id, phone`,
    [accountId, label, phone],
  )
  return rows[0] as Phone
}

/** The phone that a challenge's codes go to, as long as it's in force or can still be confirmed. */
export async function phoneOf(
  client: pg.PoolClient,
  vault: Vault,
  accountId: number,
  secret: string,
): Promise<Phone> {
  const challenge = await find(client, vault, accountId, secret)
  const { rows } = await client.query<Phone>(
    `SELECT id, phone FROM tfa_methods
     WHERE id = $1 AND kind = 'sms' AND deleted_at IS NULL
       AND (confirmed_at IS NOT NULL OR created_at > now() - make_interval(secs => $2))`,
    [challenge?.method_id, patience],
  )
  if (!rows[0]) throw challengeNotFound()
  return rows[0]
}

/**
 * Puts the method into force that the code is of, and returns it, or the refusal (a wrong code counts, so the transaction has to be committed).
 * Whatever else was set up is dropped: it was set up when less proof was asked for.
 */
export async function confirmMethod(
  client: pg.PoolClient,
  vault: Vault,
  accountId: number,
  proof: Pick<Proof, 'tfa_method' | 'code' | 'secret'>,
  label: string | undefined,
): Promise<number | ApiError> {
  const confirmed = await verify(client, vault, accountId, proof)
  if (confirmed instanceof ApiError) return confirmed
  await client.query(
    'UPDATE tfa_methods SET confirmed_at = now(), label = coalesce($2, label) WHERE id = $1',
    [confirmed, label],
  )
  await client.query('DELETE FROM tfa_methods WHERE account_id = $1 AND confirmed_at IS NULL', [accountId])
  return confirmed
}

async function verify(
  client: pg.PoolClient,
  vault: Vault,
  accountId: number,
  { tfa_method = 'totp', code, secret }: Pick<Proof, 'tfa_method' | 'code' | 'secret'>,
): Promise<number | ApiError> {
  if (code === undefined) return new ApiError(400, 'missing_auth_value', 'Send the code.')
  const locked = await lockOf(client, accountId, 'enrol')
  if (locked) return locked
  const methodId =
    tfa_method === 'totp' ? undefined : (await find(client, vault, accountId, secret ?? ''))?.method_id
  if (tfa_method !== 'totp' && !methodId) return challengeNotFound()
  const { rows } = await client.query<{ id: number; secret_sealed: Buffer }>(
    `SELECT id, secret_sealed FROM tfa_methods
     WHERE account_id = $1 AND kind = $2 AND id = coalesce($3, id) AND confirmed_at IS NULL AND deleted_at IS NULL
       AND created_at > now() - make_interval(secs => $4)`,
    [accountId, tfa_method, methodId, patience],
  )
  const [method] = rows
  if (!method) return new ApiError(400, 'invalid_tfa_method', 'No such method is being set up. Start anew.')
  const good =
    tfa_method === 'totp'
      ? await redeemTotp(client, vault, method, code)
      : await redeem(client, vault, { accountId, methodId: method.id }, secret ?? '', code)
  if (good instanceof ApiError) return good
  if (!good)
    return countFailure(
      client,
      accountId,
      'enrol',
      new ApiError(400, '2fa_verification_failed', 'The code is wrong.'),
    )
  await forgetFailures(client, accountId, 'enrol')
  return method.id
}
