import { createHash, randomUUID } from 'node:crypto'
import { execute, insertLines, selectRows } from '../platform/stores/clickhouse.ts'
import { one } from '../platform/stores/rows.ts'
import type { Stores } from '../platform/stores/stores.ts'
import { notePending } from './note-pending.ts'
import { finishPendingRollups } from './pending-rollups.ts'
import { rollUp } from './rollup.ts'
import { endStatementsOfOthers, type Series, writeSeries } from './write-series.ts'

/** A spooled snapshot and its number of parts. */
interface Spooled {
  slot: number
  source: string
  observations: number
  parts: number
}

/**
 * Loads all waiting snapshots from PostgreSQL into ClickHouse, oldest first and an hour of them at a time. Then it finishes the
 * roll-ups that an import or a crash left behind. Only one process does this at a time, so derived rows are never computed from
 * an incomplete past. Returns the number of loaded slots. `stop` ends it at once. It throws then, and also when a store is
 * unreachable or was restored. Nothing is lost.
 */
export const loadAll = (stores: Stores, stop?: AbortSignal): Promise<number> =>
  writeSeries(stores, (series) => loadWaiting(series, stop), stop)

/** Does the same as loadAll for a caller that holds the series. */
export async function loadWaiting(series: Series, stop?: AbortSignal): Promise<number> {
  let loaded = 0
  while (!stop?.aborted) {
    const { rows: waiting } = await series.postgres.query<Spooled>('series/next_spooled')
    if (waiting.length === 0) break
    await loadSnapshots(series, waiting)
    loaded += waiting.length
  }
  if (!stop?.aborted) await finishPendingRollups(series)
  return loaded
}

/**
 * Loads snapshots of one hour. Each step may run again after a crash: observations are counted and have the slot as their
 * deduplication token, slots and derived rows have revisions, and only the last statement marks the slots as loaded.
 */
async function loadSnapshots(series: Series, snapshots: readonly Spooled[]): Promise<void> {
  for (const snapshot of snapshots) await insertParts(series, snapshot, `snapshot:${snapshot.slot}`)
  await markSlots(series, snapshots, false)
  // From here on, statements with an older revision change none of their observations. One that began before may still do so.
  await endStatementsOfOthers(series.clickhouse)
  for (const snapshot of snapshots)
    if (!(await isComplete(series, snapshot))) await insertAgain(series, snapshot)
  const slots = snapshots.map(({ slot }) => slot)
  await rollUp(series, { from: Math.min(...slots), to: Math.max(...slots) + 1 })
  await markSlots(series, snapshots, true)
  await series.postgres.query('UPDATE snapshots SET loaded_at = rackrate_now() WHERE slot = ANY ($1)', [
    slots,
  ])
}

/** Loads a snapshot again. A restored ClickHouse may have rows without their token, or a token without its rows. */
async function insertAgain(series: Series, snapshot: Spooled): Promise<void> {
  const { slot, source, observations, parts } = snapshot
  if (parts === 0 && observations > 0)
    throw new Error(`the rows of slot ${slot} are neither in the spool nor in ClickHouse`)
  // Rows derived from the removed observations are removed, too. The range is recorded first, in case this process ends in
  // between.
  await notePending(series.postgres, { from: slot, to: slot + 1, rebuild: true })
  const revision = await series.nextRevision()
  const forget = 'load/forget_snapshot'
  await execute(series.clickhouse, forget, { slot, source, revision })
  // After a restore the same revision may be issued again, and its token would match rows that are gone.
  await insertParts(series, snapshot, `snapshot:${slot}:${revision}:${randomUUID()}`)
  if (!(await isComplete(series, snapshot)))
    throw new Error(`slot ${slot} differs from its captured snapshot`)
}

async function insertParts(series: Series, { slot, source, parts }: Spooled, token: string): Promise<void> {
  for (let part = 0; part < parts; part += 1) {
    const { rows } = await series.postgres.query<{ rows: string }>(
      'SELECT rows FROM spool WHERE slot = $1 AND part = $2',
      [slot, part],
    )
    const lines = one(rows).rows
    await insertObservations(series, lines, { slot, source, token: tokenOf(token, part, lines) })
  }
}

/**
 * The deduplication token of a part. After a restore of PostgreSQL a slot may be captured again. Its parts then differ from the
 * parts of the first capture, so the token depends on the content.
 */
export const tokenOf = (snapshot: string, part: number, lines: string): string =>
  `${snapshot}:${part}-${createHash('sha256').update(lines).digest('hex').slice(0, 16)}`

/**
 * Inserts lines of JSONCompactEachRow, in the column order of sql/clickhouse/queries/load.sql, as one block: all of them or none.
 * Lines of earlier releases lack the last columns, which are then unknown. A repeated token changes nothing (ClickHouse remembers
 * the newest 1,000), and neither does a call for a slot that a later holder of the series has entered.
 */
export async function insertObservations(
  series: Pick<Series, 'clickhouse' | 'nextRevision'>,
  lines: string,
  { slot, source, token }: { slot: number; source: string; token: string },
): Promise<void> {
  const revision = await series.nextRevision()
  const query = 'load/observations'
  await insertLines(series.clickhouse, query, {
    lines,
    parameters: { slot, source, revision },
    settings: { ...oneBlock(token), input_format_json_compact_allow_variable_number_of_columns: 1 },
  })
}

/** Settings that make an INSERT … SELECT FROM input() one block, since blocks of one insert are not atomic together. */
export const oneBlock = (token: string) => ({
  insert_deduplication_token: token,
  insert_deduplicate: 1 as const,
  input_format_parallel_parsing: 0 as const,
  max_insert_block_size: '4000000',
  max_block_size: '4000000',
  min_insert_block_size_rows: '4000000',
  min_insert_block_size_bytes: '0',
})

async function isComplete({ clickhouse }: Series, { slot, source, observations }: Spooled): Promise<boolean> {
  const query = 'load/count_snapshot'
  return one(await selectRows<{ found: number }>(clickhouse, query, { slot, source })).found === observations
}

/** Enters slots in ClickHouse, including slots of an empty market. Readers see them once they are ready. */
export async function markSlots(
  { clickhouse, nextRevision }: Pick<Series, 'clickhouse' | 'nextRevision'>,
  slots: readonly Omit<Spooled, 'parts'>[],
  ready: boolean,
): Promise<void> {
  const revision = await nextRevision()
  const values = slots.map(({ slot, source, observations }) => ({
    slot,
    source,
    observations,
    ready,
    revision,
  }))
  await clickhouse.insert({ table: 'slots', values, format: 'JSONEachRow' })
}
