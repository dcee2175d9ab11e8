import type pg from 'pg'
import { ApiError } from '../../../platform/errors.ts'
import { accountTransaction, type Postgres } from '../../../platform/stores/postgres.ts'

/** How many of an account's requests wait for their turn; more are sent away. */
const mostWaiting = 30

const turns = new Map<number, { waiting: number; last: Promise<unknown> }>()

/**
 * Runs `work` in a transaction that has the account's row locked, one after the other: neither guesses nor uses of one code happen side by
 * side. Within a process the turn is waited for before a connection is taken, since checking a code is slow on purpose and an account that
 * asks a thousand times must not keep the others' connections. Throws 429 when too many wait.
 */
export async function withAccount<T>(
  postgres: Postgres,
  accountId: number,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const turn = turns.get(accountId) ?? { waiting: 0, last: Promise.resolve() }
  if (turn.waiting >= mostWaiting)
    throw new ApiError(429, 'too_many_requests', 'Too many 2FA requests at once', { retryAfter: 1 })
  turns.set(accountId, turn)
  turn.waiting += 1
  const mine = turn.last.then(() => accountTransaction(postgres, accountId, work))
  turn.last = mine.catch(() => {})
  try {
    return await mine
  } finally {
    turn.waiting -= 1
    if (turn.waiting === 0) turns.delete(accountId)
  }
}
