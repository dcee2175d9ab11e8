import type { Stores } from '../platform/stores/stores.ts'
import { forgetDamagedDays } from './check-days.ts'
import { forgetStraySlots } from './check-slots.ts'
import { enterSlots, showProgress } from './enter-slots.ts'
import { finishImportWork } from './import-work.ts'
import { notePending } from './note-pending.ts'
import { publishDays } from './publish-days.ts'
import type { Range } from './ranges.ts'
import { type Derivation, observationsPerHour, rollUp } from './rollup.ts'
import { type Series, writeSeries } from './write-series.ts'

/**
 * Adds observations of the past. `write` inserts them (all within `range`) and returns their number. If there are any, everything
 * derived from the range is computed again and its slots are shown. The range is recorded in PostgreSQL first, so any process can
 * finish the derived rows after a crash. `write` must be safe to run again. `stop` ends all of it at once. Returns the number of
 * written rows.
 */
export async function backfill(
  stores: Stores,
  range: Range,
  write: (series: Series) => Promise<number>,
  stop?: AbortSignal,
): Promise<number> {
  const work = async (series: Series) => {
    const id = await notePending(series.postgres, range)
    const written = await write(series)
    if (written === 0) await dropPending(series, id)
    await finishPendingRollups(series)
    return written
  }
  try {
    return await writeSeries(stores, work, stop)
  } catch (error) {
    // When the lock was lost, another process may have finished the recorded range before the last rows arrived. Recording it
    // again is safe.
    await notePending(stores.postgres, range).catch(() => {})
    throw error
  }
}

/** Computes every derived row of `range` again, removes rows without observations, and publishes the changed days. */
export async function rebuildSeries(stores: Stores, range: Range): Promise<void> {
  await writeSeries(stores, async (series) => {
    await notePending(series.postgres, { ...range, rebuild: true })
    await finishPendingRollups(series)
  })
  await publishDays(stores)
}

const dropPending = ({ postgres }: Series, id: number) =>
  postgres.query('DELETE FROM pending_rollups WHERE id = $1', [id])

/** Finishes the recorded changes of imports and the recorded roll-ups, including work of dead processes. */
export async function finishPendingRollups(series: Series): Promise<void> {
  await finishImportWork(series)
  const { rows } = await series.postgres.query<Required<Derivation> & { id: number }>(
    'SELECT id, from_slot AS "from", to_slot AS "to", rebuild FROM pending_rollups ORDER BY id',
  )
  for (const { id, ...derivation } of rows) {
    await enterSlots(series, 'announce', derivation)
    await showProgress(series)
    if (derivation.rebuild)
      await forgetStraySlots(series, await observationsPerHour(series.clickhouse, derivation), derivation)
    await rollUp(series, derivation)
    await enterSlots(series, 'show', derivation)
    if (derivation.rebuild) await forgetDamagedDays(series, derivation)
    await dropPending(series, id)
  }
}
