import { timingSafeEqual } from 'node:crypto'
import type pg from 'pg'
import { ApiError } from '../../../platform/errors.ts'
import type { Account } from '../context.ts'
import { confirmationTime } from './methods.ts'
import { type Proof, prove } from './proof.ts'

interface Authorization {
  secret_hash: Buffer
  /** The method of the expected code; null: e-mail or a backup code. */
  method_id: number | null
  is_granted: boolean
}

interface Reader {
  id: number
  client: pg.Pool | pg.PoolClient
}

/** The granted or pending authorization of a new method. */
export async function findAuthorization({ id, client }: Reader): Promise<Authorization | undefined> {
  const { rows } = await client.query<Authorization>('tfa/authorization', [id])
  return rows[0]
}

/** Stores a pending or granted authorization. It is valid for 15 minutes. */
export async function keepAuthorization(
  { id, client, vault }: Account,
  { secret, methodId, isGranted }: { secret: string; methodId: number | null; isGranted: boolean },
): Promise<void> {
  await client.query('tfa/authorize', [
    id,
    vault.fingerprint(secret, 'authorization'),
    methodId,
    confirmationTime,
    isGranted,
  ])
}

export const isOfSecret = ({ vault }: Account, { secret_hash }: Authorization, secret: string): boolean =>
  timingSafeEqual(secret_hash, vault.fingerprint(secret, 'authorization'))

/** Throws 403 unless a new method is authorized. */
export async function requireAuthorization(account: Account): Promise<void> {
  if ((await findAuthorization(account))?.is_granted) return
  throw new ApiError(
    403,
    'authorization_required',
    'Authorize the new 2FA method first: POST /api/v0/tfa/authorize-new-method',
  )
}

/** Requires a proof unless a new method is authorized. Throws as `prove` does. */
export async function proveOrAuthorized(account: Account, proof: Proof): Promise<void> {
  if (!(await findAuthorization(account))?.is_granted) await prove(account, proof)
}

/** Ends the authorization: it is for one new method. */
export const endAuthorization = ({ id, client }: Account) =>
  client.query('DELETE FROM tfa_authorizations WHERE account_id = $1', [id])
