import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type ClickHouse, execute, selectRows } from '../platform/stores/clickhouse.ts'
import { requireRoom } from '../platform/stores/disk.ts'
import { type HeldLock, locks, type Session, withAdvisoryLock } from '../platform/stores/postgres.ts'
import { observedSince } from '../platform/stores/retention.ts'
import { one } from '../platform/stores/rows.ts'
import type { Stores } from '../platform/stores/stores.ts'

/**
 * The series while this process alone may write to it.
 *
 * The right to write is an advisory lock, and a holder can lose it without noticing: its session ends (PostgreSQL restarts, a connection
 * is cut) while its statements go on. A holder that lost the lock cannot do harm:
 *
 * - Its statements for PostgreSQL, and its requests for revisions, are sent in the session that held the lock. They fail.
 * - What it derives (histogram, cube, entries of slots) has a revision from before. Every row of a later holder wins, whichever comes last.
 * - `signal` aborts, which ends the requests that wait for ClickHouse. The statements may still run there: the next holder ends them
 *   before it begins (endStatementsOfOthers).
 * - A statement that was on its way and reaches ClickHouse later still finds the entry of its slot with a newer revision, and then
 *   neither adds nor removes observations (load/observations, load/forget_snapshot). Observations that it adds for a slot
 *   without a newer entry are those that the next holder adds under the same deduplication token: they are there once.
 * - Imports write from a table of their own, which the next import drops first. Rows that come late are noted for a roll-up (backfill).
 */
export interface Series {
  /** The session that holds the lock. */
  postgres: Session
  /** Its requests end when the lock is lost. */
  clickhouse: ClickHouse
  /** Observations from this time on (unix seconds) are all kept. */
  since: number
  /** The most seconds between two slots that make a pair of the flows. */
  longestPair: number
  /** Aborts when the lock is lost, or the work is to stop. */
  signal: AbortSignal
  /** The next version for rows of the series. Ask for it right before the statement that uses it, since the newest row wins. */
  nextRevision(): Promise<number>
}

/**
 * Runs `work` as the only writer of the series. Throws when one of the stores lacks what the other one has, as after a restore from
 * a backup: to go on would lose slots or double them (docs/operations.md). Throws while ClickHouse's disk is nearly full. `stop` is that of holdSeries.
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

/**
 * Runs `work` while nobody else writes to the series, also when the stores do not agree. `stop` ends it at once, as a crash would: its
 * requests end, and so do its statements in ClickHouse.
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
        postgres: session,
        clickhouse: held,
        since: await observedSince(session),
        longestPair: await longestPairOf(session),
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
        // The lock is still held here, so they are this holder's own.
        if (stop?.aborted) await endRunning(clickhouse).catch(() => {})
        throw error
      }
    },
    stop,
  )

/** Intervals that may be between two slots of a pair: with more, nobody knows what happened between them. */
export const intervalsOfPair = 3

async function longestPairOf(session: Session): Promise<number> {
  const { rows } = await session.query<{ interval: number }>('SELECT interval FROM flow_progress')
  return intervalsOfPair * one(rows).interval
}

/** Marks statements of whoever holds the series, in ClickHouse's list of running statements. */
const namePrefix = 'rackrate-series-'

/** The client with statements that have such a name and end with the lock. */
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
 * Ends the statements on the series that still run in ClickHouse, and waits until they have ended. Call it while none of this
 * process run: all others are of processes that died or lost the lock, for the lock is held here.
 */
export async function endStatementsOfOthers(clickhouse: ClickHouse): Promise<void> {
  await endRunning(clickhouse)
  // A DELETE goes on in the background when its statement has ended.
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
