import { expect } from 'vitest'
import { check, seriesRange } from '../ingest/check.ts'
import { selectRows } from '../platform/stores/clickhouse.ts'
import type { TestDatabases } from './database.ts'

/** Every snapshot of the ledger is in the series, once, and all that is derived from it is right. */
export async function expectComplete({
  postgres,
  clickhouse,
}: Pick<TestDatabases, 'postgres' | 'clickhouse'>): Promise<void> {
  expect(await check({ postgres, clickhouse }, await seriesRange(clickhouse))).toEqual({
    rows: [],
    flows: [],
    slots: [],
    lost: [],
  })
  const { rows } = await postgres.query<{ slot: number; observations: number }>(
    'SELECT slot, observations FROM snapshots ORDER BY slot',
  )
  const found = await selectRows(
    clickhouse,
    'SELECT toUnixTimestamp(slot) AS slot, count() AS observations FROM observations GROUP BY slot ORDER BY slot',
  )
  expect(found).toEqual(rows)
  const { rowCount } = await postgres.query('SELECT FROM snapshots WHERE loaded_at IS NULL')
  expect(rowCount).toBe(0)
}
