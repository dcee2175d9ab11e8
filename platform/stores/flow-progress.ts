import { wholeBuckets } from '../../contract/ladder.ts'
import { type ClickHouse, selectRows } from './clickhouse.ts'
import type { Session } from './postgres.ts'
import { one } from './rows.ts'

/**
 * The progress of the flows of a series that is older than their table: hours from `until` to `filled` (unix seconds) are left.
 */
export interface FlowProgress {
  filled: number
  until: number
}

/**
 * Records the seconds between slots, which flows depend on. Only processes that record slots call it: a command that only reads
 * may be configured with another interval.
 */
export const noteInterval = (postgres: Session, interval: number) =>
  postgres.query('UPDATE flow_progress SET interval = $1 WHERE interval <> $1', [interval])

export async function flowProgress(postgres: Session): Promise<FlowProgress> {
  const text = 'SELECT filled_from AS filled, fill_until AS until FROM flow_progress'
  return one((await postgres.query<FlowProgress>(text)).rows)
}

/** Marks all flows to be computed in the background by the series' writer (ingest/fill-flows.ts). */
export async function beginFillingFlows(postgres: Session, clickhouse: ClickHouse): Promise<void> {
  const query = 'series/range'
  const { from, to } = wholeBuckets(
    3600,
    one(await selectRows<{ from: number; to: number }>(clickhouse, query)),
  )
  const text = 'UPDATE flow_progress SET fill_until = $1, filled_from = $2'
  await postgres.query(text, [from, to])
}
