import { expect } from 'vitest'
import { check, seriesRange } from '../ingest/check.ts'
import { selectRows } from '../platform/stores/clickhouse.ts'
import type { TestDatabases } from './database.ts'

/** Every snapshot of the ledger is in the series, once, and all that is derived from it is right. */
export async function expectComplete({
  postgres,
  clickhouse,
}: Pick<TestDatabases, 'postgres' | 'clickhouse'>): Promise<void> {
  expect(await check({ postgres, clickhouse }, await seriesRange(clickhouse))).toMatchObject({ problems: [] })
  const { rows } = await postgres.query<{ slot: number; observations: number; waits: boolean }>(
    'SELECT slot, observations, loaded_at IS NULL AS waits FROM snapshots ORDER BY slot',
  )
  // A worker that runs, or ran until now, may have taken the present slot. That one may wait, all others must be loaded.
  const waiting = rows.filter(({ waits }) => waits).map(({ slot }) => slot)
  const present = Date.now() / 1000 - 600
  expect(waiting.filter((slot) => slot < present)).toEqual([])
  const found = await selectRows(
    clickhouse,
    `SELECT toUnixTimestamp(slot) AS slot, count() AS observations FROM observations
     WHERE slot <= {last:UInt32} AND NOT has({waiting:Array(UInt32)}, toUnixTimestamp(slot))
     GROUP BY slot ORDER BY slot`,
    { last: rows.at(-1)?.slot ?? 0, waiting },
  )
  expect(found).toEqual(
    rows.flatMap(({ slot, observations, waits }) => (waits ? [] : [{ slot, observations }])),
  )
}
