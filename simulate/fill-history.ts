import { setImmediate as breathe, setTimeout as pause } from 'node:timers/promises'
import { day, hour } from '../contract/durations.ts'
import { toError } from '../contract/failure.ts'
import { floorTo } from '../contract/ladder.ts'
import { oneBlock } from '../ingest/load.ts'
import { backfill } from '../ingest/pending-rollups.ts'
import type { Range } from '../ingest/ranges.ts'
import type { Series } from '../ingest/write-series.ts'
import { type ClickHouse, insertLines, selectRows } from '../platform/stores/clickhouse.ts'
import type { Postgres } from '../platform/stores/postgres.ts'
import { one } from '../platform/stores/rows.ts'
import type { Stores } from '../platform/stores/stores.ts'
import { openHistory } from './history.ts'
import { openTerms } from './terms.ts'
import { type Facts, type Runs, watchRuns } from './unchanged-runs.ts'

export interface FillOptions {
  /** Ends the work at once; the next call continues it. */
  signal: AbortSignal
  /** Called with the completed share of the history, 0 … 1. */
  onProgress?: (share: number) => void
  /** Called with the reason of a pause, for instance an unreachable store. The work continues by itself. */
  onPause?: (error: Error) => void
  /** Observations of one insert, which becomes one block in ClickHouse's memory. It must be the same in each call for a market. */
  rowsPerInsert?: number
  /** Observations of one batch. A batch holds the lock of the series for about 5 microseconds a row. */
  rowsPerBatch?: number
  /** Writes the observations of a range, and computes the rows derived from them. */
  into?: typeof backfill
}

interface Simulation {
  seed: number
  size: number
  interval: number
  anchor_slot: number
  filled_from: number
  fill_until: number
}

// Each divides the next, so that inserts end where batches end, whatever the size of earlier batches. All divide the day or are the longest
// bucket, since a bucket that is cut in two is computed twice.
const spans = [900, 1800, hour, 10_800, 21_600, 43_200, day, 7 * day]

const shortestPauseMs = 1000
const longestPauseMs = 30_000

/**
 * Fills the simulated market's past, newest first. It retries while a store is unreachable, and rejects with an AbortError when stopped. It
 * can be stopped or killed at any point: the next call simulates the same history again up to the point that was reached, and continues
 * from there.
 */
export async function fillHistory(stores: Stores, options: FillOptions): Promise<void> {
  const { signal, onProgress = () => {}, onPause = () => {} } = options
  const { rowsPerInsert = 300_000, rowsPerBatch = 1_100_000, into = backfill } = options
  let delay = shortestPauseMs
  const progress = (share: number) => {
    delay = shortestPauseMs
    onProgress(share)
  }
  for (;;) {
    try {
      return await fill(stores, { signal, onProgress: progress, rowsPerInsert, rowsPerBatch, into })
    } catch (error) {
      if (signal.aborted) throw error
      onPause(toError(error))
      await pause(delay, undefined, { signal })
      delay = Math.min(delay * 2, longestPauseMs)
    }
  }
}

async function fill(stores: Stores, options: Required<Omit<FillOptions, 'onPause'>>): Promise<void> {
  const { signal, onProgress, rowsPerInsert, rowsPerBatch, into } = options
  const { rows } = await stores.postgres.query<Simulation>('SELECT * FROM simulation')
  const [simulation] = rows
  if (!simulation || simulation.filled_from <= simulation.fill_until) return
  const { interval, anchor_slot: anchor, fill_until: until } = simulation
  const history = openInserts(simulation, await readFacts(stores.postgres), rowsPerInsert)

  let { filled_from: filled } = simulation
  // The first batch is short, so that the page soon has something to show.
  for (let batch = history.spanOf(rowsPerBatch / 4); filled > until; batch = history.spanOf(rowsPerBatch)) {
    const range = { from: Math.max(until, floorTo(batch, filled - batch / 2)), to: filled }
    const write = async ({ clickhouse }: Series) => {
      let written = 0
      for await (const insert of history.insertsBackTo(range.from, signal)) {
        if (!(await isThere(clickhouse, insert))) await insertRuns(clickhouse, interval, insert)
        written += insert.observations
      }
      return written
    }
    await into(stores, range, write, signal)
    await stores.postgres.query('UPDATE simulation SET filled_from = $1', [range.from])
    filled = range.from
    onProgress((anchor - filled) / (anchor - until))
  }
}

/** Facts of the simulated machines that snapshots record, by id. */
export async function readFacts(postgres: Postgres): Promise<(id: number) => Facts> {
  const { rows } = await postgres.query<Facts & { id: number }>('simulate/facts')
  const facts = new Map(rows.map((row) => [row.id, row]))
  return (id) => {
    const found = facts.get(id)
    if (!found) throw new Error(`machine ${id} of the simulated history is not in PostgreSQL`)
    return found
  }
}

interface Insert extends Runs {
  slots: Range
  token: string
}

/**
 * The inserts of the simulation's past. The content of an insert depends on the clock and not on the beginning of a walk: a repeated walk
 * inserts the same bytes under the same token, so an interrupted batch is completed and not doubled.
 */
function openInserts(simulation: Simulation, factsOf: (id: number) => Facts, rowsPerInsert: number) {
  const { seed, size, interval, anchor_slot: anchor, fill_until: until, filled_from: filled } = simulation
  const history = openHistory({ seed, size, interval, anchor, past: anchor - until })
  const runs = watchRuns(interval, factsOf, openTerms(seed))
  const spanOf = (rows: number) =>
    Math.max(interval, spans.findLast((span) => (span / interval) * size * 1.15 <= rows) ?? 0)
  const window = Math.min(day, spanOf(rowsPerInsert))
  let to = filled

  return {
    spanOf,

    async *insertsBackTo(from: number, signal: AbortSignal): AsyncGenerator<Insert> {
      while (to > from) {
        const start = Math.max(from, floorTo(window, to - interval))
        await history.leadTo(start, signal)
        runs.see(history.market, start)
        for (let slot = start + interval; slot < to; slot += interval) {
          history.next()
          runs.see(history.market, slot)
          await breathe(undefined, { signal })
        }
        yield { ...runs.take(), slots: { from: start, to }, token: `simulated:${seed}:${anchor}:${start}` }
        to = start
      }
    },
  }
}

/** Inserts the rows as one block, like insertObservations: all or none, once for each token. */
const insertRuns = (clickhouse: ClickHouse, interval: number, { lines, token }: Insert): Promise<void> => {
  const query = 'simulate/observations'
  return insertLines(clickhouse, query, {
    lines: lines.join('\n'),
    parameters: { interval },
    settings: oneBlock(token),
  })
}

/**
 * True if an earlier call inserted all of it. ClickHouse forgets tokens in time, and the next call may come late. All rows must be there,
 * since an insert that a cluster took in part is completed by repeating it.
 */
async function isThere(clickhouse: ClickHouse, { slots, observations }: Insert): Promise<boolean> {
  const query = 'simulate/there'
  return (
    one(await selectRows<{ observations: number }>(clickhouse, query, { ...slots })).observations ===
    observations
  )
}
