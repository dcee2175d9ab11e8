import type pg from 'pg'
import type { Vault } from '../../../platform/security/vault.ts'
import { newBackupCode, plainBackupCode } from './codes.ts'

const count = 10

const hashOf = (vault: Vault, accountId: number, code: string) =>
  vault.hashCode(plainBackupCode(code), `backup code of ${accountId}`)

/** Makes the account's backup codes new. All old ones die with the same commit. The codes are returned this once. */
export async function replaceBackupCodes(
  client: pg.PoolClient,
  vault: Vault,
  accountId: number,
): Promise<string[]> {
  const codes = new Set<string>()
  while (codes.size < count) codes.add(newBackupCode())
  const hashes = await Promise.all([...codes].map((code) => hashOf(vault, accountId, code)))
  await client.query('DELETE FROM backup_codes WHERE account_id = $1', [accountId])
  await client.query('INSERT INTO backup_codes (account_id, code_hash) SELECT $1, unnest($2::bytea[])', [
    accountId,
    hashes,
  ])
  return [...codes]
}

/** Uses up a backup code; false when it isn't one of the account's living ones. */
export async function redeemBackupCode(
  client: pg.PoolClient,
  vault: Vault,
  accountId: number,
  code: string,
): Promise<boolean> {
  const { rowCount } = await client.query(
    'UPDATE backup_codes SET used_at = now() WHERE account_id = $1 AND code_hash = $2 AND used_at IS NULL',
    [accountId, await hashOf(vault, accountId, code)],
  )
  return rowCount === 1
}

/** How many backup codes an account has that are not used. */
export async function codesLeft(client: pg.PoolClient, accountId: number): Promise<number> {
  const { rows } = await client.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM backup_codes WHERE account_id = $1 AND used_at IS NULL',
    [accountId],
  )
  return rows[0]?.n ?? 0
}
