import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { SqlBody } from '../../contract/sql.ts'
import { ApiError } from '../../platform/errors.ts'
import { type AdHocSql, runSql } from './run-sql.ts'

export interface SqlOptions {
  /** undefined: the site has no such account in ClickHouse. */
  sql: AdHocSql | undefined
}

/** Longer than any statement may take. */
export const patienceMs = 90_000

/** Errors of any route that runs a statement, besides the usual ones. */
export const sqlErrors = {
  400: "ClickHouse rejects the statement: `sql_error` with ClickHouse's message, and `position` for a syntax error. Or `invalid_args`",
  403: 'Not an admin, or the statement does more than read the analytics database: `forbidden`',
  422: 'The statement exceeds a limit of time, rows, bytes or memory: `limit_exceeded`',
  429: "Too many statements at once, or the account's hourly quota is used up. See the header Retry-After",
  501: 'The site has no account for ad hoc SQL: `not_configured`',
  503: 'The engine for ad hoc SQL restarted while the statement ran, because of another statement: `unavailable`. Try again',
}

/** The content types of the formats. */
export const produces = [
  'application/json',
  'text/csv',
  'text/tab-separated-values',
  'application/octet-stream',
]

/** Runs a statement and streams its result, with these headers unless it fails. Closing the connection cancels the statement. */
export async function sendResult(
  reply: FastifyReply,
  sql: AdHocSql | undefined,
  { accountId, body, headers = {} }: { accountId: number; body: SqlBody; headers?: Record<string, string> },
): Promise<FastifyReply> {
  if (!sql)
    throw new ApiError(
      501,
      'not_configured',
      'CLICKHOUSE_SQL_USER names no account for ad hoc SQL. See .env.example',
    )
  const answer = await runSql(sql, accountId, body, leavingOf(reply.raw))
  return reply
    .headers({ ...headers, 'rackrate-query-id': answer.queryId, 'cache-control': 'no-store' })
    .type(answer.contentType)
    .send(answer.stream)
}

/** Fires when the caller leaves before the answer is complete. (Fastify's `request.signal` fires when the body of a POST has been read.) */
function leavingOf(response: ServerResponse): AbortSignal {
  const leaving = new AbortController()
  if (response.destroyed) leaving.abort()
  response.once('close', () => {
    if (!response.writableFinished) leaving.abort()
  })
  return leaving.signal
}
