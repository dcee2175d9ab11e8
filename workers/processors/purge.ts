import { writeSeries } from '../../ingest/write-series.ts'
import type { Stores } from '../../platform/stores/stores.ts'

/**
 * Removes rows whose retention is over: the spooled rows of loaded snapshots (until then a ClickHouse restored from a backup can
 * be completed), and old runs, tasks, alerts, forecasts, advice and decisions. docs/operations.md lists the times.
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
  await stores.postgres.query("DELETE FROM price_advice WHERE given_at < rackrate_now() - interval '1 year'")
  await stores.postgres.query('purge/autopilot')
  await stores.postgres.query("DELETE FROM changes WHERE made_at < rackrate_now() - interval '2 years'")
  await stores.postgres.query('purge/coverage')
  // While the stores do not agree, or ClickHouse is unreachable, the spool may have the only copy.
  await writeSeries(stores, ({ postgres }) => postgres.query('purge/spool', [spoolRetention]), stop)
}
