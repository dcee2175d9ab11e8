import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { SqlBody } from '../../../contract/sql.ts'
import { ApiError } from '../../../platform/errors.ts'
import { askSql, type SqlStores } from './ask.ts'

export interface SqlOptions extends Omit<SqlStores, 'analyst'> {
  /** undefined: the site has no such account in ClickHouse. */
  analyst: SqlStores['analyst'] | undefined
}

/** Longer than any statement may take. */
export const patienceMs = 90_000

/** What any route that runs a statement may answer besides the usual. */
export const sqlErrors = {
  400: "ClickHouse doesn't understand the statement: `sql_error`, in its own words, with `position` for a syntax error. Or `invalid_args`",
  403: 'Not an admin, or more than reading the analytics database: `forbidden`',
  422: 'More time, rows, bytes or memory than a statement may take: `limit_exceeded`',
  429: 'Too many queries at once, or the quota of the hour is used up. See the header Retry-After',
  501: 'The site has no account for ad hoc SQL: `not_configured`',
}

/** The content types of the formats. */
export const produces = [
  'application/json',
  'text/csv',
  'text/tab-separated-values',
  'application/octet-stream',
]

/** Runs a statement and answers with its result as it comes, with these headers unless it fails. Whoever leaves ends the query. */
export async function sendResult(
  reply: FastifyReply,
  { postgres, clickhouse, analyst }: SqlOptions,
  accountId: number,
  body: SqlBody,
  headers: Record<string, string> = {},
): Promise<FastifyReply> {
  if (!analyst)
    throw new ApiError(
      501,
      'not_configured',
      'CLICKHOUSE_SQL_USER names no account for ad hoc SQL. See .env.example',
    )
  reply.raw.setTimeout(patienceMs, () => reply.raw.destroy())
  const answer = await askSql({ postgres, clickhouse, analyst }, accountId, body, leavingOf(reply.raw))
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
