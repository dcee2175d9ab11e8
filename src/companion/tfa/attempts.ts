import type { Clock } from '../../../platform/clock.ts'
import { ApiError } from '../../../platform/errors.ts'
import { one } from '../../../platform/stores/rows.ts'
import type { Account } from '../context.ts'

/** Wrong codes in a row, per account and method, that lock the method for 15 minutes. */
const mostFailures = 5

/** The answer to a wrong code. Thrown only after the failure was counted (withTfaAccount). */
export class WrongCode extends ApiError {}

/** Throws 429 while a method is locked. Another attempt does not extend the lock. */
export async function refuseWhileLocked({ id, client, clock }: Account, method: string): Promise<void> {
  const { rows } = await client.query<{ fail_count: number; locked_until: number }>('tfa/lock', [id, method])
  const [lock] = rows
  if (!lock) return
  const retryAfter = secondsUntil(lock.locked_until, clock)
  throw new ApiError(429, 'tfa_locked', 'Too many wrong codes. Try again later.', { ...lock, retryAfter })
}

const wrongCode = new ApiError(400, '2fa_verification_failed', 'The code is wrong.')

/** Counts a wrong code and returns the error for it. */
export async function countFailure(
  { id, client, clock }: Account,
  method: string,
  { statusCode, code, message }: ApiError = wrongCode,
): Promise<WrongCode> {
  const { rows } = await client.query<{ fail_count: number; locked_until: number | null }>(
    'tfa/count_failure',
    [id, method, mostFailures],
  )
  const { fail_count, locked_until } = one(rows)
  const lock = locked_until && { locked_until, retryAfter: secondsUntil(locked_until, clock) }
  return new WrongCode(statusCode, code, message, { fail_count, ...lock })
}

const secondsUntil = (time: number, clock: Clock): number => Math.max(1, Math.ceil(time - clock.now()))

export async function forgetFailures({ id, client }: Account, method: string): Promise<void> {
  await client.query('DELETE FROM tfa_failures WHERE account_id = $1 AND method = $2', [id, method])
}
