import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type ClickHouse, execute, selectRows } from '../platform/stores/clickhouse.ts'
import { requireRoom } from '../platform/stores/disk.ts'
import { type HeldLock, locks, type Session, withAdvisoryLock } from '../platform/stores/postgres.ts'
import { observedSince } from '../platform/stores/retention.ts'
import { one } from '../platform/stores/rows.ts'
import { recordedLongestPair } from '../platform/stores/slot-interval.ts'
import type { Stores } from '../platform/stores/stores.ts'

/** The series while other processes may write to it. */
export interface SeriesReader {
  postgres: Session
  clickhouse: ClickHouse
  /** Unix seconds since which all observations are kept. */
  since: number
  /** The most seconds between two slots that make a pair of the flows. */
  longestPair: number
}

/**
 * The series while only this process may write to it.
 *
 * The right to write is an advisory lock. A holder can lose it without noticing: its session ends (PostgreSQL restarts, a
 * connection is cut) while its statements go on. A holder that lost the lock cannot do harm:
 *
 * - Its statements for PostgreSQL, and its requests for revisions, are sent in the session that held the lock. They fail.
 * - Its derived rows (histogram, cube, entries of slots) have an older revision. Every row of a later holder wins, in any order.
 * - `signal` aborts, which ends the requests that wait for ClickHouse. The statements may still run there: the next holder ends
 *   them before it begins (endStatementsOfOthers).
 * - A statement that reaches ClickHouse late finds the entry of its slot with a newer revision, and then neither adds nor removes
 *   observations (load/observations, load/forget_snapshot). If the slot has no newer entry, its observations have the same
 *   deduplication token as the next holder's, so they are stored once.
 * - Imports write from a table of their own. A late statement that moves or removes their rows finds a newer entry of the newest
 *   slot, and changes nothing.
 */
export interface Series extends SeriesReader {
  /** The session that holds the lock. */
  postgres: Session
  /** A client whose requests end when the lock is lost. */
  clickhouse: ClickHouse
  /** Aborts when the lock is lost, or when the work is stopped. */
  signal: AbortSignal
  /** The next version for rows of the series. Request it right before the statement that uses it, since the newest row wins. */
  nextRevision(): Promise<number>
}

/**
 * Runs `work` as the only writer of the series. Throws when one of the stores lacks data of the other one, as after a restore
 * from a backup: further writes would lose or duplicate slots (docs/operations.md). Throws while ClickHouse's disk is nearly
 * full. For `stop` see holdSeries.
 */
export const writeSeries = <T>(
  stores: Stores,
  work: (series: Series) => Promise<T>,
  stop?: AbortSignal,
): Promise<T> =>
  holdSeries(
    stores,
    async (series) => {
      await refuseMismatch(series)
      await requireRoom(series.clickhouse)
      return work(series)
    },
    stop,
  )

export const readSeries = async ({
  postgres,
  clickhouse,
}: Pick<SeriesReader, 'postgres' | 'clickhouse'>): Promise<SeriesReader> => ({
  postgres,
  clickhouse,
  since: await observedSince(postgres),
  longestPair: await recordedLongestPair(postgres),
})

/**
 * Runs `work` while no other process writes to the series, even if the stores do not agree. `stop` ends it at once, as a crash
 * would: its requests end, and so do its statements in ClickHouse.
 */
export const holdSeries = <T>(
  { postgres, clickhouse }: Stores,
  work: (series: Series) => Promise<T>,
  stop?: AbortSignal,
): Promise<T> =>
  withAdvisoryLock(
    postgres,
    locks.series,
    async ({ session, signal }) => {
      const held = heldClient(clickhouse, signal)
      await endStatementsOfOthers(held)
      const series: Series = {
        ...(await readSeries({ postgres: session, clickhouse: held })),
        signal,
        async nextRevision() {
          const { rows } = await session.query<{ revision: number }>(
            `SELECT nextval('revisions') AS revision`,
          )
          return one(rows).revision
        },
      }
      try {
        return await work(series)
      } catch (error) {
        // The lock is still held here, so these are this process's own statements.
        if (stop?.aborted) await endRunning(clickhouse).catch(() => {})
        throw error
      }
    },
    stop,
  )

/** Prefix of the names of a holder's statements in ClickHouse's list of running statements. */
const namePrefix = 'rackrate-series-'

/** A client whose statements have such a name, and whose requests end with the lock. */
function heldClient(clickhouse: ClickHouse, signal: HeldLock['signal']): ClickHouse {
  const held = <Request extends object>(request: Request) => {
    signal.throwIfAborted()
    return { ...request, query_id: `${namePrefix}${randomUUID()}`, abort_signal: signal }
  }
  const client: ClickHouse = Object.create(clickhouse)
  return Object.assign(client, {
    query: ((request) => clickhouse.query(held(request))) as ClickHouse['query'],
    command: ((request) => clickhouse.command(held(request))) as ClickHouse['command'],
    exec: ((request) => clickhouse.exec(held(request))) as ClickHouse['exec'],
    insert: ((request) => clickhouse.insert(held(request))) as ClickHouse['insert'],
  })
}

const longestWaitMs = 60_000

/**
 * Ends the statements on the series that still run in ClickHouse, and waits for their end. Call it while this process runs none:
 * the lock is held here, so all others belong to processes that died or lost the lock.
 */
export async function endStatementsOfOthers(clickhouse: ClickHouse): Promise<void> {
  await endRunning(clickhouse)
  // A DELETE continues in the background after its statement has ended.
  for (const deadline = performance.now() + longestWaitMs; ; await pause(100)) {
    const query = 'series/unfinished_deletes'
    if ((await selectRows(clickhouse, query)).length === 0) return
    if (performance.now() > deadline) throw new Error('ClickHouse is still removing observations')
  }
}

async function endRunning(clickhouse: ClickHouse): Promise<void> {
  const running = await selectRows<{ id: string }>(clickhouse, 'series/running', {
    prefix: namePrefix,
  })
  if (running.length > 0) {
    const ids = running.map(({ id }) => id)
    await execute(clickhouse, 'series/end_statements', { ids })
  }
}

async function refuseMismatch({ postgres, clickhouse }: Series): Promise<void> {
  const { rows } = await postgres.query<{ revision: number; slot: number; loaded: number }>('series/newest')
  const { revision, slot, loaded } = one(rows)
  const series = one(
    await selectRows<{ revision: number; slot: number; shown: number }>(clickhouse, 'series/newest', {
      loaded,
    }),
  )
  const isPostgresOlder = series.revision > revision || series.slot > slot
  if (!isPostgresOlder && (loaded === 0 || series.shown)) return
  // This fails when the lock was lost, and then another process may have written between the two answers.
  await postgres.query('SELECT 1')
  throw new Error(
    mismatch(isPostgresOlder ? 'PostgreSQL is older than ClickHouse' : 'ClickHouse is older than PostgreSQL'),
  )
}

const mismatch = (what: string) =>
  `${what}. If one of them was restored from a backup, run \`rackrate reconcile\`. Otherwise check that DATABASE_URL and CLICKHOUSE_URL belong together.`
