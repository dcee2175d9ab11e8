import type { ClickHouse } from '../platform/stores/clickhouse.ts'
import type { Postgres } from '../platform/stores/postgres.ts'
import { observedSince } from '../platform/stores/retention.ts'
import { observedPart, type Range, rollUp } from './rollup.ts'
import { announceSlots, nextRevision, readySlots } from './slot-entries.ts'
import { writeSeries } from './write-series.ts'

/**
 * Adds observations of the past: `write` inserts them (all within `range`) and returns how many rows it wrote; if any, everything
 * derived from the range is made anew and its slots are shown. The range is noted in Postgres first, so after a crash any worker
 * finishes the derived rows; `write` itself must be safe to run again. Returns the number of rows written.
 */
export async function backfill(
  postgres: Postgres,
  clickhouse: ClickHouse,
  range: Range,
  write: () => Promise<number>,
): Promise<number> {
  return writeSeries(postgres, clickhouse, async () => {
    const id = await notePending(postgres, range, false)
    const written = await write()
    if (written === 0) await postgres.query('DELETE FROM pending_rollups WHERE id = $1', [id])
    await finishPendingRollups(postgres, clickhouse)
    return written
  })
}

/** Computes every derived row of `range` again and removes those that nothing backs. */
export async function rebuildSeries(postgres: Postgres, clickhouse: ClickHouse, range: Range): Promise<void> {
  await writeSeries(postgres, clickhouse, async () => {
    await notePending(postgres, range, true)
    await finishPendingRollups(postgres, clickhouse)
  })
}

/** Has the derived rows of `range` made anew by whoever finishes pending roll-ups next; `rebuild`: also removed where nothing backs them. */
export async function notePending(
  postgres: Postgres,
  { from, to }: Range,
  rebuild: boolean,
): Promise<number | undefined> {
  const { rows } = await postgres.query<{ id: number }>(
    'INSERT INTO pending_rollups (from_slot, to_slot, rebuild) VALUES ($1, $2, $3) RETURNING id',
    [from, to, rebuild],
  )
  return rows[0]?.id
}

interface PendingRollup extends Range {
  id: number
  rebuild: boolean
}

/** Finishes the noted roll-ups, this process's or those of one that died. Call it under the series lock. */
export async function finishPendingRollups(postgres: Postgres, clickhouse: ClickHouse): Promise<void> {
  const { rows } = await postgres.query<PendingRollup>(
    'SELECT id, from_slot AS "from", to_slot AS "to", rebuild FROM pending_rollups ORDER BY id',
  )
  for (const { id, from, to, rebuild } of rows) {
    const range = { from, to }
    const since = await observedSince(postgres)
    const observed = observedPart(range, since)
    await announceSlots(clickhouse, observed, await nextRevision(postgres))
    await rollUp(clickhouse, range, { revision: await nextRevision(postgres), since, rebuild })
    await readySlots(clickhouse, observed, await nextRevision(postgres))
    await postgres.query('DELETE FROM pending_rollups WHERE id = $1', [id])
  }
}
