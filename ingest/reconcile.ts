import { ceilTo, floorTo } from '../contract/ladder.ts'
import { type ClickHouse, execute, selectRows } from '../platform/stores/clickhouse.ts'
import { locks, type Postgres, withAdvisoryLock } from '../platform/stores/postgres.ts'
import { observedSince } from '../platform/stores/retention.ts'
import { loadSql } from '../platform/stores/sql.ts'
import { notePending } from './backfill.ts'
import { stretches } from './contiguous-ranges.ts'
import { loadWaiting } from './load.ts'

export interface Reconciled {
  /** False: nothing was changed, since something is lost and nobody said that it may be. */
  done: boolean
  /** How many snapshots ClickHouse has that Postgres didn't know. */
  adopted: number
  /** Slots (unix seconds) that were loaded again, out of the spool. */
  reopened: number[]
  /** Slots of which neither of them has all any more: gaps. */
  lost: number[]
}

/**
 * Makes the two stores agree after one was, or both were, restored from backups of different times. What ClickHouse has whole counts; the
 * rest is loaded again where the spool still has it. Cut short, it comes to the same end when it's run again.
 */
export async function reconcile(
  postgres: Postgres,
  clickhouse: ClickHouse,
  { acceptLoss = false } = {},
): Promise<Reconciled> {
  return withAdvisoryLock(postgres, locks.series, async () => {
    await refuseDuringRestore(clickhouse)
    const difference = compare(await snapshotsTaken(postgres), await entriesOf(postgres, clickhouse))
    const { adopted, loaded, reopened, lost, unfinished, leftover } = difference
    const slots = { reopened: reopened.map(slotOf), lost: lost.map(slotOf) }
    if (lost.length > 0 && !acceptLoss) return { done: false, adopted: 0, ...slots }

    for (const { slot, source } of leftover) {
      await execute(clickhouse, loadSql('clickhouse/queries/load/forget_snapshot'), { slot, source })
      await execute(clickhouse, loadSql('clickhouse/queries/slots/forget'), { slot, source })
    }
    await derive(postgres, leftover, true)
    await derive(postgres, unfinished, false)
    const [newest] = await selectRows<{ revision: number }>(
      clickhouse,
      loadSql('clickhouse/queries/series/newest_revision'),
    )
    await postgres.query(loadSql('postgres/queries/series/reconcile'), [
      JSON.stringify(adopted),
      loaded.map(slotOf),
      slots.reopened,
      slots.lost,
      newest?.revision ?? 0,
    ])
    await loadWaiting(postgres, clickhouse)
    return { done: true, adopted: adopted.length, ...slots }
  })
}

/** A snapshot as Postgres has it. */
interface Taken {
  slot: number
  source: string
  observations: number
  is_loaded: boolean
  is_spooled: boolean
}

/** What ClickHouse has of a slot and a source. */
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
 * How the stores differ. A snapshot is shown when ClickHouse has all of it, entered and ready; those of the simulated market begin at
 * `anchor`, before is its history.
 */
function compare({ taken, anchor }: { taken: Taken[]; anchor: number | undefined }, entries: Entry[]) {
  const keyOf = ({ slot, source }: { slot: number; source: string }) => `${slot} ${source}`
  const entryOf = new Map(entries.map((entry) => [keyOf(entry), entry]))
  const isKnown = new Set(taken.map(keyOf))
  const isShown = ({ is_ready, entered, found }: Entry) => is_ready && entered === found
  const isSnapshot = ({ slot, source }: Entry) =>
    source === 'market' || (source === 'simulated' && anchor !== undefined && slot >= anchor)

  const loaded: Taken[] = []
  const reopened: Taken[] = []
  const lost: Taken[] = []
  const adopted: Entry[] = []
  /** What is there and not all that follows from it. */
  const unfinished: Entry[] = []
  /** What loads that were cut short left behind, and nobody will complete. */
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
    } else {
      lost.push(snapshot)
      if (entry) leftover.push(entry)
    }
  }
  for (const entry of entries) {
    if (isKnown.has(keyOf(entry))) continue
    if (!isSnapshot(entry)) {
      if (!isShown(entry)) unfinished.push(entry)
    } else if (entry.is_entered && entry.entered === entry.found) {
      adopted.push(entry)
      if (!entry.is_ready) unfinished.push(entry)
    } else {
      leftover.push(entry)
    }
  }
  return { loaded, reopened, lost, adopted, unfinished, leftover }
}

async function snapshotsTaken(postgres: Postgres) {
  const { rows: taken } = await postgres.query<Taken>(loadSql('postgres/queries/series/snapshots_taken'))
  const { rows } = await postgres.query<{ anchor: number }>('SELECT anchor_slot AS anchor FROM simulation')
  return { taken, anchor: rows[0]?.anchor }
}

async function entriesOf(postgres: Postgres, clickhouse: ClickHouse): Promise<Entry[]> {
  // What a restored Postgres has forgotten: without it a rebuild would take what is gone for never seen.
  const [retention] = await selectRows<{ gone_before: number }>(
    clickhouse,
    loadSql('clickhouse/queries/retention/found'),
  )
  await postgres.query(loadSql('postgres/queries/retention/gone'), [retention?.gone_before ?? 0])
  const since = ceilTo(3600, await observedSince(postgres))
  return selectRows<Entry>(clickhouse, loadSql('clickhouse/queries/series/entries'), { since })
}

/** Notes that everything derived from these slots is to be made anew. */
async function derive(postgres: Postgres, entries: Entry[], rebuild: boolean): Promise<void> {
  const hours = [...new Set(entries.map(({ slot }) => floorTo(3600, slot)))].sort((a, b) => a - b)
  for (const range of stretches(hours.map((hour) => ({ hour })))) await notePending(postgres, range, rebuild)
}

async function refuseDuringRestore(clickhouse: ClickHouse): Promise<void> {
  const restoring = await selectRows(clickhouse, `SELECT 1 FROM system.backups WHERE status = 'RESTORING'`)
  if (restoring.length > 0) throw new Error('ClickHouse is still restoring: wait until it is done')
}
