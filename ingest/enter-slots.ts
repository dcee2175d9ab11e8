import { execute } from '../platform/stores/clickhouse.ts'
import { observedPart, type Range } from './ranges.ts'
import { unfinishedSnapshots } from './snapshot-slots.ts'
import type { Series } from './write-series.ts'

/**
 * Gives the ledger a revision as new as the rows that are derived next, when no slot is loaded with them. A PostgreSQL restored
 * to an earlier time is then older than the ledger, so no process writes rows that lose to them (write-series.ts).
 */
export async function showProgress(series: Series): Promise<void> {
  const revision = await series.nextRevision()
  await execute(series.clickhouse, 'slots/enter_again', { revision })
}

/**
 * Enters the slots that the observations of `range` belong to. `announce`: hidden, so that the roll-up includes them. `show`:
 * visible to readers.
 */
export async function enterSlots(series: Series, how: 'announce' | 'show', range: Range): Promise<void> {
  const observed = observedPart(range, series.since)
  const unfinished = await unfinishedSnapshots(series, observed)
  const revision = await series.nextRevision()
  const query = `slots/${how}`
  await execute(series.clickhouse, query, { ...observed, unfinished, revision })
}
