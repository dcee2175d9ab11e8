import { type ClickHouse, execute, selectRows } from '../src/platform/clickhouse.ts'
import { locks, type Postgres, withAdvisoryLock } from '../src/platform/postgres.ts'
import { loadSql } from '../src/platform/sql.ts'
import { notePending } from './backfill.ts'

export interface Reconciled {
  /** False: nothing was changed, since something is lost and nobody said that it may be. */
  done: boolean
  /** How many snapshots ClickHouse shows that Postgres didn't know. */
  adopted: number
  /** Slots (unix seconds) that are loaded again, out of the spool. */
  reopened: number[]
  /** Slots that neither of them has any more: gaps. */
  lost: number[]
}

/**
 * Makes the two stores agree after one was, or both were, restored from backups of different times. What ClickHouse shows counts; the
 * rest is loaded again where the spool still has it, by whoever loads next. Run again after a crash it comes to the same end.
 */
export async function reconcile(
  postgres: Postgres,
  clickhouse: ClickHouse,
  { acceptLoss = false } = {},
): Promise<Reconciled> {
  return withAdvisoryLock(postgres, locks.series, async () => {
    const query = 'clickhouse/queries/snapshots_shown'
    const shown = await selectRows<{ slot: number }>(clickhouse, loadSql(query))
    const { rows: taken } = await postgres.query<{ slot: number; spooled: boolean }>(
      loadSql('postgres/queries/snapshots_taken'),
    )
    const isShown = new Set(shown.map(({ slot }) => slot))
    const missing = taken.filter(({ slot }) => !isShown.has(slot))
    const reopened = missing.filter(({ spooled }) => spooled).map(({ slot }) => slot)
    const lost = missing.filter(({ spooled }) => !spooled).map(({ slot }) => slot)
    if (lost.length > 0 && !acceptLoss) return { done: false, adopted: 0, reopened, lost }

    if (taken[0]) await forgetBegun(postgres, clickhouse, taken[0].slot, reopened)
    const [newest] = await selectRows<{ revision: number }>(
      clickhouse,
      loadSql('clickhouse/queries/newest_revision'),
    )
    const { rows } = await postgres.query<{ adopted: number }>(loadSql('postgres/queries/reconcile'), [
      JSON.stringify(shown),
      reopened,
      lost,
      newest?.revision ?? 0,
    ])
    return { done: true, adopted: rows[0]?.adopted ?? 0, reopened, lost }
  })
}

/** Removes what loads that were cut short have left in ClickHouse, and has derived what isn't loaded again. */
async function forgetBegun(
  postgres: Postgres,
  clickhouse: ClickHouse,
  from: number,
  reopened: number[],
): Promise<void> {
  const begun = await selectRows<{ slot: number }>(
    clickhouse,
    loadSql('clickhouse/queries/snapshots_begun'),
    {
      from,
    },
  )
  for (const { slot } of begun) {
    if (!reopened.includes(slot)) await notePending(postgres, { from: slot, to: slot + 1 }, true)
    await execute(clickhouse, loadSql('clickhouse/queries/snapshot_forget'), { slot })
  }
}
