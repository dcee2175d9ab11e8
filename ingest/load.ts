import type { ClickHouse } from '../src/platform/clickhouse.ts'
import type { Postgres } from '../src/platform/postgres.ts'
import { observedSince } from '../src/platform/retention.ts'
import { loadSql } from '../src/platform/sql.ts'
import { finishPendingRollups } from './backfill.ts'
import { insertObservations } from './observations.ts'
import { rollUp } from './rollup.ts'
import { writeSeries } from './series.ts'
import { markSlot, nextRevision } from './slots.ts'

interface Spooled {
  slot: number
  source: string
  observations: number
  parts: number
  load_token: string | null
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
  return writeSeries(postgres, clickhouse, async () => {
    let loaded = 0
    while (!signal?.aborted) {
      const { rows } = await postgres.query<Spooled>(loadSql('postgres/queries/next_spooled'))
      const [spooled] = rows
      if (!spooled) break
      await loadSnapshot(postgres, clickhouse, spooled)
      loaded += 1
    }
    if (!signal?.aborted) await finishPendingRollups(postgres, clickhouse)
    return loaded
  })
}

/**
 * Each step may run again after a crash without a trace: observations carry the slot as their deduplication token, slots and
 * derived rows are versioned, and only the last statement says that it's done.
 */
async function loadSnapshot(postgres: Postgres, clickhouse: ClickHouse, snapshot: Spooled): Promise<void> {
  const { slot, parts, load_token } = snapshot
  for (let part = 0; part < parts; part += 1) {
    const { rows } = await postgres.query<{ rows: string }>(
      'SELECT rows FROM spool WHERE slot = $1 AND part = $2',
      [slot, part],
    )
    const token = ['snapshot', slot, part, ...(load_token ? [load_token] : [])].join(':')
    if (rows[0]) await insertObservations(clickhouse, rows[0].rows, token)
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
