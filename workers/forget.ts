import { writeSeries } from '../ingest/series.ts'
import type { ClickHouse } from '../src/platform/clickhouse.ts'
import type { Postgres } from '../src/platform/postgres.ts'
import { loadSql } from '../src/platform/sql.ts'

/**
 * Lets go of what was kept for long enough: snapshots in the spool, so many days after they were loaded (until then ClickHouse can be restored
 * from a backup and lacks nothing), and the runs and tasks of long ago. docs/operations.md says how long everything is kept.
 */
export async function forget(
  postgres: Postgres,
  clickhouse: ClickHouse,
  spoolRetention: number,
): Promise<void> {
  await postgres.query(loadSql('postgres/queries/forget_runs'))
  await postgres.query(loadSql('postgres/queries/forget_tasks'))
  // While the stores don't agree, or ClickHouse is away, the spool may be all there is.
  await writeSeries(postgres, clickhouse, () =>
    postgres.query(loadSql('postgres/queries/forget_spool'), [spoolRetention]),
  )
}
