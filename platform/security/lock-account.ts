import { invalidKey } from '../errors.ts'
import type { Session } from '../stores/postgres.ts'

/**
 * Locks the row of an account for the transaction of `client`, so that limits per account are checked by one request at a time. Throws 401 when the
 * account was deleted, since keys are cached for some seconds.
 */
export async function lockAccount(client: Session, id: number): Promise<void> {
  const lock = 'SELECT FROM accounts WHERE id = $1 AND deleted_at IS NULL FOR UPDATE'
  if ((await client.query(lock, [id])).rowCount === 0) throw invalidKey()
}
