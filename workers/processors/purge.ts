import { writeSeries } from '../../ingest/write-series.ts'
import type { Stores } from '../../platform/stores/stores.ts'

/**
 * Removes what was kept for long enough: the spooled rows of snapshots, so many days after they were loaded (until then a ClickHouse that is
 * restored from a backup lacks nothing), and old runs, tasks, alerts, forecasts and decisions. docs/operations.md says how long everything is kept.
 */
export async function purge(stores: Stores, spoolRetention: number, stop?: AbortSignal): Promise<void> {
  await stores.postgres.query('purge/job_runs')
  await stores.postgres.query('purge/host_tasks')
  await stores.postgres.query(
    "DELETE FROM alert_messages WHERE created_at < rackrate_now() - interval '90 days'",
  )
  await stores.postgres.query(
    "DELETE FROM idempotent_answers WHERE created_at < rackrate_now() - interval '24 hours'",
  )
  await stores.postgres.query("DELETE FROM forecasts WHERE known_until < rackrate_now() - interval '90 days'")
  await stores.postgres.query('purge/autopilot')
  // While the stores do not agree, or ClickHouse is away, the spool may have the only copy.
  await writeSeries(stores, ({ postgres }) => postgres.query('purge/spool', [spoolRetention]), stop)
}
