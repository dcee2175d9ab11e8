import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { toError } from '../../contract/failure.ts'
import type { SqlBody } from '../../contract/sql.ts'
import { formats } from '../../contract/sql-formats.ts'
import type { AdHocClients, ClickHouse } from '../../platform/stores/clickhouse.ts'
import type { Postgres } from '../../platform/stores/postgres.ts'
import { beginAudit, endAudit } from './audit.ts'
import type { StatementCosts } from './costs.ts'
import { sqlErrorOf } from './errors.ts'
import { watchTail } from './tail.ts'

/** The clients and the audit of ad hoc statements. */
export interface AdHocSql extends AdHocClients {
  postgres: Postgres
  costs: StatementCosts
}

export interface SqlAnswer {
  queryId: string
  contentType: string
  /** Fails when ClickHouse fails after the first byte; to destroy it cancels the query. */
  stream: Readable
  /** Resolves when the stream has ended and its result is recorded. Never rejects. */
  audited: Promise<void>
}

/**
 * Runs one statement unchanged, and streams the answer. There is no list of refused statements: its account in ClickHouse refuses
 * (sql/clickhouse/accounts/ad_hoc_*.sql). Throws an ApiError with ClickHouse's sentence when the statement fails before its first
 * byte. Every statement is audited: it runs while its row is written, but its answer is sent only after the row is committed.
 */
export async function runSql(
  { postgres, analyst, operator, costs }: AdHocSql,
  accountId: number | null,
  { query, format, params }: SqlBody,
  signal: AbortSignal,
): Promise<SqlAnswer> {
  const queryId = randomUUID()
  const refused = new AbortController()
  const begun = beginAudit(postgres, { id: queryId, accountId, query, params, format })
  begun.catch(() => refused.abort())
  try {
    signal.throwIfAborted() // The client receives only later aborts.
    const { stream, response_headers } = await analyst.exec({
      query,
      query_id: queryId,
      query_params: params,
      abort_signal: AbortSignal.any([signal, refused.signal]),
      // A parameter of the HTTP interface instead of a setting: the statement may name another format itself.
      clickhouse_settings: { default_format: formats[format] } as Record<string, string>,
    })
    const tag = String(response_headers['x-clickhouse-exception-tag'] ?? '')
    const watched = watchTail(stream, { tag, asLine: format === 'Progress', signal })
    watched.stream.on('error', () => {}) // The reader of the stream receives the error, too.
    await begun.catch((error) => {
      watched.stream.destroy()
      throw error
    })
    const audited = watched.ended.then(async ({ outcome, failure }) => {
      if (outcome === 'cancelled') await killQuery(operator, queryId)
      await endAudit(postgres, queryId, outcome, failure)
      costs.note(queryId)
    })
    return {
      queryId,
      contentType: String(response_headers['content-type'] ?? 'application/octet-stream'),
      stream: watched.stream,
      audited: audited.catch(() => {}),
    }
  } catch (error) {
    const failure = sqlErrorOf(error)
    if (signal.aborted || refused.signal.aborted) await killQuery(operator, queryId)
    await begun // A refusal by the audit takes precedence over the result of the statement.
    await endAudit(postgres, queryId, signal.aborted ? 'cancelled' : 'failed', toError(failure))
    throw failure
  }
}

/** Kills a query if ClickHouse has not noticed the end of the connection, as behind a proxy. */
async function killQuery(operator: ClickHouse, queryId: string): Promise<void> {
  await operator
    .command({ query: 'KILL QUERY WHERE query_id = {id:String} ASYNC', query_params: { id: queryId } })
    .catch(() => {})
}
