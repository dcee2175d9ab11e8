import { hour } from '../../contract/durations.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Postgres } from '../../platform/stores/postgres.ts'
import { one } from '../../platform/stores/rows.ts'

export type StatementOutcome = 'done' | 'failed' | 'cancelled'

/** Limits of the statements of one account in an hour. The command line has no account and no such limit. */
export const hourly = { statements: 2000, seconds: hour, rows: 100_000_000 }

interface Begun {
  id: string
  accountId: number | null
  query: string
  params: object
  format: string
}

/** Records the account and the statement before it runs. Throws an ApiError when the account has used up its hour. */
export async function beginAudit(
  postgres: Postgres,
  { id, accountId, query, params, format }: Begun,
): Promise<void> {
  const { statements, seconds, rows: resultRows } = hourly
  const values = [id, accountId, query, params, format, statements, seconds, resultRows]
  const { rows } = await postgres.query<{ begun: boolean; retry_after: number }>('sql/begin', values)
  const { begun, retry_after } = one(rows)
  if (begun) return
  throw new ApiError(
    429,
    'too_many_requests',
    `An account may run ${statements} statements, ${seconds} seconds of statements and ${resultRows} rows of results an hour.`,
    { retryAfter: retry_after },
  )
}

/** Records the result of a statement. */
export async function endAudit(
  postgres: Postgres,
  id: string,
  outcome: StatementOutcome,
  failure?: Error,
): Promise<void> {
  await postgres.query(
    'UPDATE sql_queries SET finished_at = rackrate_now(), outcome = $2, error = $3 WHERE id = $1',
    [id, outcome, failure?.message],
  )
}
