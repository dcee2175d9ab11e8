import { randomUUID } from 'node:crypto'
import { type ClickHouse, execute, selectRows } from '../platform/stores/clickhouse.ts'
import type { Postgres } from '../platform/stores/postgres.ts'
import { observedSince } from '../platform/stores/retention.ts'
import { loadSql } from '../platform/stores/sql.ts'
import { finishPendingRollups } from './backfill.ts'
import { insertObservations } from './observations.ts'
import { rollUp } from './rollup.ts'
import { markSlot, nextRevision } from './slot-entries.ts'
import { writeSeries } from './write-series.ts'

interface Spooled {
  slot: number
  source: string
  observations: number
  parts: number
}

/**
 * Brings everything that waits in Postgres into ClickHouse, oldest slot first, then finishes the roll-ups that an import or a
 * crash left behind. One loader at a time works on the series (the others wait here), so derived rows are never computed
 * from a half-known past. Returns the number of slots loaded; throws when an engine is away or was restored (series.ts), and then
 * nothing is lost.
 */
export async function loadAll(
  postgres: Postgres,
  clickhouse: ClickHouse,
  signal?: AbortSignal,
): Promise<number> {
  return writeSeries(postgres, clickhouse, () => loadWaiting(postgres, clickhouse, signal))
}

/** What loadAll does, for whoever has the series to himself. */
export async function loadWaiting(
  postgres: Postgres,
  clickhouse: ClickHouse,
  signal?: AbortSignal,
): Promise<number> {
  let loaded = 0
  while (!signal?.aborted) {
    const { rows } = await postgres.query<Spooled>(loadSql('postgres/queries/series/next_spooled'))
    const [spooled] = rows
    if (!spooled) break
    await loadSnapshot(postgres, clickhouse, spooled)
    loaded += 1
  }
  if (!signal?.aborted) await finishPendingRollups(postgres, clickhouse)
  return loaded
}

/**
 * Each step may run again after a crash without a trace: observations carry the slot as their deduplication token and are counted,
 * slots and derived rows are versioned, and only the last statement says that it's done.
 */
async function loadSnapshot(postgres: Postgres, clickhouse: ClickHouse, snapshot: Spooled): Promise<void> {
  const { slot, source, observations } = snapshot
  const found = async () => {
    const query = loadSql('clickhouse/queries/load/count_snapshot')
    const [row] = await selectRows<{ found: number }>(clickhouse, query, { slot, source })
    return row?.found ?? 0
  }
  await insertParts(postgres, clickhouse, snapshot, `snapshot:${slot}`)
  if ((await found()) !== observations) {
    // A ClickHouse that was restored has rows and no memory of their token, or a token and no longer its rows.
    if (snapshot.parts === 0)
      throw new Error(`the rows of slot ${slot} are neither in the spool nor in ClickHouse`)
    await execute(clickhouse, loadSql('clickhouse/queries/load/forget_snapshot'), { slot, source })
    await insertParts(postgres, clickhouse, snapshot, `snapshot:${slot}:${randomUUID()}`)
    if ((await found()) !== observations) throw new Error(`slot ${slot} is not as it was captured`)
  }
  await markSlot(clickhouse, snapshot, false, await nextRevision(postgres))
  await rollUp(
    clickhouse,
    { from: slot, to: slot + 1 },
    { revision: await nextRevision(postgres), since: await observedSince(postgres) },
  )
  await markSlot(clickhouse, snapshot, true, await nextRevision(postgres))
  await postgres.query('UPDATE snapshots SET loaded_at = now() WHERE slot = $1', [slot])
}

async function insertParts(
  postgres: Postgres,
  clickhouse: ClickHouse,
  { slot, parts }: Spooled,
  token: string,
): Promise<void> {
  for (let part = 0; part < parts; part += 1) {
    const { rows } = await postgres.query<{ rows: string }>(
      'SELECT rows FROM spool WHERE slot = $1 AND part = $2',
      [slot, part],
    )
    if (rows[0]) await insertObservations(clickhouse, rows[0].rows, `${token}:${part}`)
  }
}
