import PQueue from 'p-queue'
import { ApiError } from '../../../platform/errors.ts'
import type { Actor } from '../../../platform/stores/postgres.ts'
import { type Account, type Companion, withAccount } from '../context.ts'
import { WrongCode } from './attempts.ts'

/** The most waiting 2FA requests of one account. More are answered with 429. */
const mostWaiting = 30

const queues = new Map<number, PQueue>()

/**
 * Runs `work` as `withAccount` does, for one 2FA request of an account after the other. Within a process a request waits here
 * before it takes a database connection: checking a code is slow on purpose, and one account must not occupy all connections.
 * When `work` throws a WrongCode, the transaction is still committed, since the failure must be counted. Throws 429 when too many
 * requests wait.
 */
export async function withTfaAccount<T>(
  companion: Companion & { caller?: Actor },
  accountId: number,
  work: (account: Account) => Promise<T>,
): Promise<T> {
  const queue = queues.get(accountId) ?? openQueue(accountId)
  if (queue.size + queue.pending >= mostWaiting)
    throw new ApiError(429, 'too_many_requests', 'Too many 2FA requests at the same time', { retryAfter: 1 })
  const done = await queue.add(() =>
    withAccount(companion, accountId, (account) =>
      work(account).catch((error: unknown) => {
        if (error instanceof WrongCode) return error
        throw error
      }),
    ),
  )
  if (done instanceof WrongCode) throw done
  return done
}

function openQueue(accountId: number): PQueue {
  const queue = new PQueue({ concurrency: 1 })
  queues.set(accountId, queue)
  queue.on('idle', () => queues.delete(accountId))
  return queue
}
