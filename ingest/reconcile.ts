import { ceilTo, floorTo } from '../contract/ladder.ts'
import { type ClickHouse, execute, selectRows } from '../platform/stores/clickhouse.ts'
import type { Session } from '../platform/stores/postgres.ts'
import { noteRetention, observedSince } from '../platform/stores/retention.ts'
import { one } from '../platform/stores/rows.ts'
import type { Stores } from '../platform/stores/stores.ts'
import { noteLacking } from './fill-past.ts'
import { loadWaiting } from './load.ts'
import { notePending } from './note-pending.ts'
import { stretches } from './ranges.ts'
import { anchorOf, isSnapshot } from './snapshot-slots.ts'
import { holdSeries, type Series } from './write-series.ts'

export interface Reconciled {
  /** False: nothing was changed, since snapshots are lost and `acceptLoss` was not set. */
  done: boolean
  /** Number of snapshots of ClickHouse that were added to PostgreSQL. */
  adopted: number
  /** Slots (unix seconds) that were loaded again from the spool. */
  reopened: number[]
  /** Slots (unix seconds) that are complete in neither store: gaps. */
  lost: number[]
}

/**
 * Makes the two stores agree after one or both were restored from backups of different times. Snapshots that are complete in
 * ClickHouse are kept. The others are loaded again if the spool still has them. If it is interrupted, another run completes it.
 */
export const reconcile = (stores: Stores, { acceptLoss = false } = {}): Promise<Reconciled> =>
  holdSeries(stores, async (held) => {
    await refuseDuringRestore(held.clickhouse)
    const series = { ...held, since: await findRetention(held) }
    const difference = compare(await snapshotsTaken(series.postgres), await entriesOf(series))
    const { adopted, loaded, reopened, lost, unfinished, leftover } = difference
    const slots = { reopened: reopened.map(slotOf), lost: lost.map(slotOf) }
    if (lost.length > 0 && !acceptLoss) return { done: false, adopted: 0, ...slots }

    const newest = await newestRevision(series)
    // The range is recorded first: if this process ends in between, the next one could not find the removed rows.
    await derive(series, leftover, true)
    for (const { slot, source } of leftover) {
      const snapshot = { slot, source, revision: newest + 1 }
      await execute(series.clickhouse, 'load/forget_snapshot', snapshot)
      await execute(series.clickhouse, 'slots/forget', snapshot)
    }
    await derive(series, unfinished, false)
    await series.postgres.query('series/reconcile', [
      JSON.stringify(adopted),
      loaded.map(slotOf),
      slots.reopened,
      slots.lost,
      newest,
    ])
    await noteLacking(series)
    await loadWaiting(series)
    return { done: true, adopted: adopted.length, ...slots }
  })

/** A snapshot in PostgreSQL. */
interface Taken {
  slot: number
  source: string
  observations: number
  is_loaded: boolean
  is_spooled: boolean
}

/** The ledger entry and the observations of ClickHouse for a slot and a source. */
interface Entry {
  slot: number
  source: string
  is_entered: boolean
  entered: number
  is_ready: boolean
  found: number
}

const slotOf = ({ slot }: { slot: number }) => slot

/**
 * The differences of the stores. A snapshot is shown when ClickHouse has all its parts and its entry is ready. For `anchor` see
 * isSnapshot.
 */
function compare({ taken, anchor }: { taken: Taken[]; anchor: number | undefined }, entries: Entry[]) {
  const keyOf = ({ slot, source }: { slot: number; source: string }) => `${slot} ${source}`
  const entryOf = new Map(entries.map((entry) => [keyOf(entry), entry]))
  const isKnown = new Set(taken.map(keyOf))
  const isShown = ({ is_ready, entered, found }: Entry) => is_ready && entered === found

  const loaded: Taken[] = []
  const reopened: Taken[] = []
  const lost: Taken[] = []
  /** Snapshots that are not ready are loaded again, as every snapshot is. */
  const adopted: Entry[] = []
  /** Complete snapshots with missing derived rows. */
  const unfinished: Entry[] = []
  /** Parts that interrupted loads left behind and that cannot be completed. */
  const leftover: Entry[] = []
  for (const snapshot of taken) {
    const entry = entryOf.get(keyOf(snapshot))
    const isWhole = entry?.found === snapshot.observations
    if (isWhole && isShown(entry)) {
      if (!snapshot.is_loaded) loaded.push(snapshot)
    } else if (snapshot.is_spooled) {
      reopened.push(snapshot)
    } else if (isWhole) {
      loaded.push(snapshot)
      unfinished.push(entry)
    } else if (entry && isShown(entry)) {
      // The slot was captured again after an earlier restore, which this PostgreSQL has no record of.
      adopted.push(entry)
    } else {
      lost.push(snapshot)
      if (entry) leftover.push(entry)
    }
  }
  for (const entry of entries) {
    if (isKnown.has(keyOf(entry))) continue
    if (!isSnapshot(entry, anchor)) {
      if (!isShown(entry)) unfinished.push(entry)
    } else if (entry.is_entered && entry.entered === entry.found) {
      adopted.push(entry)
    } else {
      leftover.push(entry)
    }
  }
  return { loaded, reopened, lost, adopted, unfinished, leftover }
}

async function snapshotsTaken(postgres: Session) {
  const { rows: taken } = await postgres.query<Taken>('series/snapshots_taken')
  return { taken, anchor: await anchorOf(postgres) }
}

const entriesOf = ({ clickhouse, since }: Series): Promise<Entry[]> =>
  selectRows<Entry>(clickhouse, 'series/entries', { since: ceilTo(3600, since) })

/**
 * Records in a restored PostgreSQL which observations ClickHouse has dropped and will drop, so that a rebuild does not treat
 * expired observations as never recorded.
 */
async function findRetention({ postgres, clickhouse }: Series): Promise<number> {
  const now = 'retention/now'
  const { days } = one(await selectRows<{ days: number }>(clickhouse, now))
  if (days > 0) await noteRetention(postgres, days)
  const found = 'retention/found'
  const { gone_before } = one(await selectRows<{ gone_before: number }>(clickhouse, found))
  await postgres.query('retention/gone', [gone_before])
  return observedSince(postgres)
}

/** The newest revision ever issued. A restored PostgreSQL may have issued only older ones. */
async function newestRevision(series: Series): Promise<number> {
  const query = 'series/newest_revision'
  const { revision } = one(await selectRows<{ revision: number }>(series.clickhouse, query))
  return Math.max(revision, await series.nextRevision())
}

/** Records that everything derived from these slots must be computed again. */
async function derive({ postgres }: Series, entries: Entry[], rebuild: boolean): Promise<void> {
  const hours = [...new Set(entries.map(({ slot }) => floorTo(3600, slot)))].sort((a, b) => a - b)
  for (const range of stretches(hours.map((hour) => ({ hour }))))
    await notePending(postgres, { ...range, rebuild })
}

async function refuseDuringRestore(clickhouse: ClickHouse): Promise<void> {
  const restoring = await selectRows(clickhouse, `SELECT 1 FROM system.backups WHERE status = 'RESTORING'`)
  if (restoring.length > 0) throw new Error('ClickHouse is still restoring: wait until it is done')
}
