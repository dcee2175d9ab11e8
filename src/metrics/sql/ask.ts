import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { SqlBody } from '../../../contract/sql.ts'
import { formats } from '../../../contract/sql-formats.ts'
import type { ClickHouse } from '../../../platform/stores/clickhouse.ts'
import type { Postgres } from '../../../platform/stores/postgres.ts'
import { beginAudit, endAudit, noteCost } from './audit.ts'
import { sqlErrorOf } from './errors.ts'
import { watchTail } from './tail.ts'

export interface SqlStores {
  postgres: Postgres
  /** The service's own account: reads the query log, ends queries. */
  clickhouse: ClickHouse
  /** The read-only account with limits: the guard. */
  analyst: ClickHouse
}

export interface SqlAnswer {
  queryId: string
  contentType: string
  /** Fails when ClickHouse fails after the first byte; to destroy it ends the query. */
  stream: Readable
  /** Resolves when the stream has ended and it's noted how, and what it cost. Never rejects. */
  audited: Promise<void>
}

/**
 * Runs one statement as it is, within what the account for it may do, and streams what it answers. Throws an ApiError with ClickHouse's sentence
 * when the statement fails before its first byte. Everything is audited.
 */
export async function askSql(
  stores: SqlStores,
  accountId: number | null,
  { query, format, params }: SqlBody,
  signal: AbortSignal,
): Promise<SqlAnswer> {
  const { postgres, clickhouse, analyst } = stores
  const queryId = randomUUID()
  await beginAudit(postgres, { id: queryId, accountId, query, params, format })
  try {
    signal.throwIfAborted() // the client hears only of what comes after
    const { stream, response_headers } = await analyst.exec({
      query,
      query_id: queryId,
      query_params: params,
      abort_signal: signal,
      // Not a setting but a parameter of the HTTP interface: the statement may name another format itself.
      clickhouse_settings: { default_format: formats[format] } as Record<string, string>,
    })
    const tag = String(response_headers['x-clickhouse-exception-tag'] ?? '')
    const watched = watchTail(stream, { tag, asLine: format === 'Progress' })
    const audited = watched.ended.then(async ({ outcome, failure }) => {
      if (outcome === 'cancelled') await killQuery(clickhouse, queryId)
      await endAudit(postgres, queryId, outcome, failure)
      await noteCost(postgres, clickhouse, queryId)
    })
    return {
      queryId,
      contentType: String(response_headers['content-type'] ?? 'application/octet-stream'),
      stream: watched.stream,
      audited: audited.catch(() => {}),
    }
  } catch (error) {
    const failure = sqlErrorOf(error)
    if (signal.aborted) await killQuery(clickhouse, queryId)
    await endAudit(postgres, queryId, signal.aborted ? 'cancelled' : 'failed', failure as Error)
    throw failure
  }
}

/** For when the connection's end alone wasn't noticed, as behind a proxy of ClickHouse's. */
async function killQuery(clickhouse: ClickHouse, queryId: string): Promise<void> {
  await clickhouse
    .command({ query: 'KILL QUERY WHERE query_id = {id:String} ASYNC', query_params: { id: queryId } })
    .catch(() => {})
}
