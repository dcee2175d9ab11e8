import { writeSeries } from '../ingest/write-series.ts'
import type { ClickHouse } from '../platform/stores/clickhouse.ts'
import type { Postgres } from '../platform/stores/postgres.ts'
import { loadSql } from '../platform/stores/sql.ts'

/**
 * Lets go of what was kept for long enough: snapshots in the spool, so many days after they were loaded (until then ClickHouse can be restored
 * from a backup and lacks nothing), and the runs and tasks of long ago. docs/operations.md says how long everything is kept.
 */
export async function forget(
  postgres: Postgres,
  clickhouse: ClickHouse,
  spoolRetention: number,
): Promise<void> {
  await postgres.query(loadSql('postgres/queries/purge/job_runs'))
  await postgres.query(loadSql('postgres/queries/purge/host_tasks'))
  // While the stores don't agree, or ClickHouse is away, the spool may be all there is.
  await writeSeries(postgres, clickhouse, () =>
    postgres.query(loadSql('postgres/queries/purge/spool'), [spoolRetention]),
  )
}
