import { backUp, restore } from '../../ingest/backup.ts'
import { capture, currentSlot } from '../../ingest/capture.ts'
import { type CheckResult, check, seriesRange } from '../../ingest/check.ts'
import { loadAll } from '../../ingest/load.ts'
import type { Range } from '../../ingest/ranges.ts'
import { type Reconciled, reconcile } from '../../ingest/reconcile.ts'
import { rebuildSeries } from '../../ingest/rollup.ts'
import { throughDefault } from '../../platform/stores/migrate.ts'
import type { Config } from '../config.ts'
import { type Stores, withStores } from '../stores.ts'

/** Takes and loads the present slot; `taken` is false when it had been taken before. */
export async function takeSnapshot(stores: Stores, interval: number) {
  const slot = await currentSlot(stores.postgres, interval)
  const snapshot = await capture(stores.postgres, slot)
  await loadAll(stores)
  return { slot, taken: snapshot !== undefined, observations: snapshot?.observations ?? 0 }
}

export async function rebuildCube(stores: Stores, given: Partial<Range>): Promise<Range> {
  const range = { ...(await seriesRange(stores.clickhouse)), ...only(given) }
  if (range.to > range.from) await rebuildSeries(stores, range)
  return range
}

export async function checkSeries(
  stores: Pick<Stores, 'postgres' | 'clickhouse'>,
  given: Partial<Range>,
): Promise<CheckResult> {
  const { from, to } = await seriesRange(stores.clickhouse)
  const { rows } = await stores.postgres.query<{ end: number }>(
    'SELECT coalesce(max(slot) + 1, 0) AS end FROM snapshots',
  )
  return check(stores, { from, to: Math.max(to, rows[0]?.end ?? 0), ...only(given) })
}

export const backUpSeries = (stores: Stores, name: string): Promise<number> =>
  backUp(stores, { database: stores.clickhouseAddress.database, name })

/** Brings ClickHouse back to a backup, then makes both stores agree. The database must not be there, or its tables be those of the backup, empty. */
export const restoreSeries = (
  config: Config,
  name: string,
  options: { acceptLoss?: boolean },
): Promise<Reconciled> =>
  withStores(config, (stores) => reconcile(stores, options), {
    prepare: (postgres, address) =>
      throughDefault(address, (clickhouse) =>
        restore({ postgres, clickhouse }, { database: address.database, name }),
      ),
  })

const only = ({ from, to }: Partial<Range>): Partial<Range> => ({
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
})
