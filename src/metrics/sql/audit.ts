import { type ClickHouse, execute, selectRows } from '../../../platform/stores/clickhouse.ts'
import type { Postgres } from '../../../platform/stores/postgres.ts'
import { loadSql } from '../../../platform/stores/sql.ts'

export type Outcome = 'done' | 'failed' | 'cancelled'

interface Begun {
  id: string
  accountId: number | null
  query: string
  params: object
  format: string
}

/** Notes who asks what, before it is asked. */
export async function beginAudit(
  postgres: Postgres,
  { id, accountId, query, params, format }: Begun,
): Promise<void> {
  await postgres.query(
    'INSERT INTO sql_queries (id, account_id, query, parameters, format) VALUES ($1, $2, $3, $4, $5)',
    [id, accountId, query, params, format],
  )
}

interface Cost {
  read_rows: number
  read_bytes: number
  result_rows: number
  memory_usage: number
  duration_ms: number
}

/** Notes how it went. */
export async function endAudit(
  postgres: Postgres,
  id: string,
  outcome: Outcome,
  failure?: Error,
): Promise<void> {
  await postgres.query('UPDATE sql_queries SET finished_at = now(), outcome = $2, error = $3 WHERE id = $1', [
    id,
    outcome,
    failure?.message,
  ])
}

/** Notes what ClickHouse's own log says that a query cost which has ended. */
export async function noteCost(postgres: Postgres, clickhouse: ClickHouse, id: string): Promise<void> {
  await execute(clickhouse, 'SYSTEM FLUSH LOGS query_log')
  const [cost] = await selectRows<Cost>(clickhouse, loadSql('clickhouse/queries/sql/cost'), { id })
  if (!cost) return
  const { read_rows, read_bytes, result_rows, memory_usage, duration_ms } = cost
  await postgres.query(
    'UPDATE sql_queries SET read_rows = $2, read_bytes = $3, result_rows = $4, memory_usage = $5, duration_ms = $6 WHERE id = $1',
    [id, read_rows, read_bytes, result_rows, memory_usage, duration_ms],
  )
}
