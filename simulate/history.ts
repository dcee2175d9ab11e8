import { setImmediate as breathe } from 'node:timers/promises'
import { floorTo } from '../contract/ladder.ts'
import { backfill } from '../ingest/backfill.ts'
import type { Range } from '../ingest/rollup.ts'
import { type ClickHouse, insertLines, selectRows } from '../platform/stores/clickhouse.ts'
import type { Postgres } from '../platform/stores/postgres.ts'
import { loadSql } from '../platform/stores/sql.ts'
import { createMarket, walkBack } from './population.ts'
import { type Runs, watchRuns } from './unchanged-runs.ts'

/** Share of the history that is there, 0 … 1. */
export type Progress = (share: number) => void

interface Simulation {
  seed: number
  size: number
  interval: number
  anchor_slot: number
  filled_from: number
  fill_until: number
}

// Each divides the next, so that inserts end where batches end, whatever was done at once before; and all divide the day, since a
// bucket that is cut in two is computed twice.
const spans = [900, 1800, 3600, 10_800, 21_600, 43_200, 86_400]
// One insert makes one block, in ClickHouse's memory; a batch holds the lock of the series for about 5 microseconds a row.
const rowsPerInsert = 300_000
const rowsPerBatch = 1_100_000

/**
 * Fills the simulated market's past, newest first, walking backward from the market that was seeded. Rejects with an
 * AbortError when stopped. Can be stopped or killed at any point: the next call walks the same way again up to where the history
 * reaches, and goes on from there.
 */
export async function fillHistory(
  postgres: Postgres,
  clickhouse: ClickHouse,
  onProgress: Progress,
  signal: AbortSignal,
): Promise<void> {
  const { rows } = await postgres.query<Simulation>('SELECT * FROM simulation')
  const [simulation] = rows
  if (!simulation || simulation.filled_from <= simulation.fill_until) return
  const { anchor_slot: anchor, fill_until: until } = simulation
  const history = await startWalk(simulation)
  await history.skipTo(simulation.filled_from, signal)

  let { filled_from: filled } = simulation
  // The first batch is short, so that there is something to look at.
  for (let batch = history.spanOf(rowsPerBatch / 4); filled > until; batch = history.spanOf(rowsPerBatch)) {
    const range = { from: Math.max(until, floorTo(batch, filled - batch / 2)), to: filled }
    await backfill(postgres, clickhouse, range, async () => {
      let written = 0
      for await (const insert of history.insertsBackTo(range.from, signal)) {
        if (!(await isThere(clickhouse, insert))) await insertRuns(clickhouse, simulation.interval, insert)
        written += insert.observations
      }
      return written
    })
    await postgres.query('UPDATE simulation SET filled_from = $1', [range.from])
    filled = range.from
    onProgress((anchor - filled) / (anchor - until))
  }
}

interface Insert extends Runs {
  slots: Range
  token: string
}

/**
 * Walks the simulation's past. What is inserted at once is fixed by the clock and not by where a walk began: the same walk again
 * inserts the same bytes under the same token, so a batch that was cut short is completed and not doubled.
 */
async function startWalk({ seed, size, interval, anchor_slot: anchor, fill_until: until }: Simulation) {
  const plan = { seed, size, anchor, past: anchor - until }
  const market = await createMarket(plan)
  const back = walkBack(plan, market, interval)
  const runs = watchRuns(interval)
  const spanOf = (rows: number) =>
    Math.max(interval, spans.findLast((span) => (span / interval) * size * 1.15 <= rows) ?? 0)
  const window = spanOf(rowsPerInsert)
  let slot = anchor

  return {
    spanOf,

    async skipTo(filled: number, signal: AbortSignal): Promise<void> {
      while (slot - interval >= filled) {
        slot = back()
        await breathe(undefined, { signal })
      }
    },

    async *insertsBackTo(from: number, signal: AbortSignal): AsyncGenerator<Insert> {
      while (slot - interval >= from) {
        const start = Math.max(from, floorTo(window, slot - interval))
        const to = slot
        while (slot - interval >= start) {
          slot = back()
          runs.see(market, slot)
          await breathe(undefined, { signal })
        }
        yield { ...runs.take(), slots: { from: slot, to }, token: `simulated:${seed}:${anchor}:${slot}` }
      }
    },
  }
}

/** As one block, like insertObservations: all of it or none, once for each token. */
const insertRuns = (clickhouse: ClickHouse, interval: number, { lines, token }: Insert): Promise<void> =>
  insertLines(
    clickhouse,
    loadSql('clickhouse/queries/simulate/observations'),
    { interval },
    lines.join('\n'),
    {
      insert_deduplication_token: token,
      insert_deduplicate: 1,
      input_format_parallel_parsing: 0,
      max_insert_block_size: '4000000',
      max_block_size: '4000000',
      min_insert_block_size_rows: '4000000',
      min_insert_block_size_bytes: '0',
    },
  )

/**
 * ClickHouse forgets tokens in time, a restart may come late: so what an earlier call put there is looked for, too. All of it, since an
 * insert that a cluster took in part is completed by the same again.
 */
async function isThere(clickhouse: ClickHouse, { slots, observations }: Insert): Promise<boolean> {
  const query = loadSql('clickhouse/queries/simulate/there')
  const [found] = await selectRows<{ observations: number }>(clickhouse, query, { ...slots })
  return found?.observations === observations
}
