import type pg from 'pg'
import { ApiError } from '../../../platform/errors.ts'
import { loadSql } from '../../../platform/stores/sql.ts'

/** Wrong codes in a row, per account and method, after which no code is taken for 15 minutes. */
const mostFailures = 5

interface Failures {
  fail_count: number
  locked_until: number | null
}

/** The refusal while a method is locked. Asking again extends nothing. */
export async function lockOf(
  client: pg.PoolClient,
  accountId: number,
  method: string,
): Promise<ApiError | undefined> {
  const { rows } = await client.query<{ fail_count: number; locked_until: number }>(
    `SELECT fail_count, extract(epoch FROM locked_until)::float8 AS locked_until
     FROM tfa_failures WHERE account_id = $1 AND method = $2 AND locked_until > now()`,
    [accountId, method],
  )
  return rows[0] && new ApiError(429, 'tfa_locked', 'Too many wrong codes. Try again later.', rows[0])
}

/** Counts a wrong code and gives the refusal for it. The transaction has to be committed, or it didn't count. */
export async function countFailure(
  client: pg.PoolClient,
  accountId: number,
  method: string,
  refusal: ApiError,
): Promise<ApiError> {
  const { rows } = await client.query<Failures>(loadSql('postgres/queries/tfa/count_failure'), [
    accountId,
    method,
    mostFailures,
  ])
  const { fail_count = 0, locked_until } = rows[0] ?? {}
  return new ApiError(refusal.statusCode, refusal.code, refusal.message, {
    fail_count,
    ...(locked_until && { locked_until }),
  })
}

export async function forgetFailures(
  client: pg.PoolClient,
  accountId: number,
  method: string,
): Promise<void> {
  await client.query('DELETE FROM tfa_failures WHERE account_id = $1 AND method = $2', [accountId, method])
}
