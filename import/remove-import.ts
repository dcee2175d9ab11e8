import { finishPendingRollups } from '../ingest/pending-rollups.ts'
import { timeText } from '../ingest/problems.ts'
import { writeSeries } from '../ingest/write-series.ts'
import { locks, withAdvisoryLock } from '../platform/stores/postgres.ts'
import { observedSince } from '../platform/stores/retention.ts'
import type { Stores } from '../platform/stores/stores.ts'
import { UsageError } from '../platform/usage-error.ts'
import type { KnownImport } from './identity.ts'

/** Removes the rows of an import, and everything that was derived from them. Throws UsageError. */
export async function removeImport(stores: Stores, { id, source, record }: KnownImport): Promise<void> {
  const since = await observedSince(stores.postgres)
  if (record?.from_slot && record.from_slot < since)
    throw new UsageError(
      `Observations of before ${timeText(since)} are no longer kept, so what was computed from this import cannot be undone.`,
    )
  await withAdvisoryLock(stores.postgres, locks.import, () =>
    writeSeries(stores, async (series) => {
      const values = [source, null, false, [], '[]', id, source]
      await series.postgres.query('imports/begin', values)
      await finishPendingRollups(series)
    }),
  )
}
