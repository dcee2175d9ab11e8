import type { Vault } from '../../../platform/security/vault.ts'
import { one } from '../../../platform/stores/rows.ts'
import type { Account } from '../context.ts'
import { newBackupCode, plainTypedCode } from './codes.ts'

const count = 10

const hashCode = (vault: Vault, accountId: number, code: string) =>
  vault.hashCode(plainTypedCode(code), `backup code of ${accountId}`)

/** Replaces all backup codes of the account. The new codes are returned only here. */
export async function replaceBackupCodes({ id, client, vault }: Account): Promise<string[]> {
  const codes = new Set<string>()
  while (codes.size < count) codes.add(newBackupCode())
  const hashes = await Promise.all([...codes].map((code) => hashCode(vault, id, code)))
  await client.query('DELETE FROM backup_codes WHERE account_id = $1', [id])
  await client.query('tfa/create_backup_codes', [id, hashes])
  return [...codes]
}

/** Uses up a backup code. false: the account has no such unused code. */
export async function redeemBackupCode({ id, client, vault }: Account, code: string): Promise<boolean> {
  const { rowCount } = await client.query('tfa/use_backup_code', [id, await hashCode(vault, id, code)])
  return rowCount === 1
}

/** Number of the account's unused backup codes. */
export async function countBackupCodes({ id, client }: Pick<Account, 'id' | 'client'>): Promise<number> {
  const { rows } = await client.query<{ n: number }>('tfa/count_backup_codes', [id])
  return one(rows).n
}
