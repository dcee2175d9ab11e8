import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { capture } from '../../ingest/capture.ts'
import { check } from '../../ingest/check.ts'
import { loadAll } from '../../ingest/load.ts'
import { rebuildSeries } from '../../ingest/pending-rollups.ts'
import { reconcile } from '../../ingest/reconcile.ts'
import { expectComplete } from '../complete.ts'
import { freshDatabases, type TestDatabases } from '../database.ts'
import { smallMarket } from '../market.ts'

const [first, second] = [1_750_000_200, 1_750_000_500]
let databases: TestDatabases

beforeAll(async () => {
  databases = await freshDatabases()
  await smallMarket(databases.postgres, 40)
  await capture(databases.postgres, first)
  await loadAll(databases)
})
afterAll(() => databases?.close())

it('a PostgreSQL restored to before a killed rebuild is detected before rows are written', async () => {
  const { postgres, clickhouse } = databases
  const { rows } = await postgres.query<{ last: number }>('SELECT last_value AS last FROM revisions')
  const command = clickhouse.command.bind(clickhouse)
  const broken = vi.spyOn(clickhouse, 'command').mockImplementation((request) => {
    if (request.query.includes('INSERT INTO flows')) throw new Error('the process died')
    return command(request)
  })
  await expect(rebuildSeries(databases, { from: first, to: first + 1 })).rejects.toThrow('died')
  broken.mockRestore()
  // The rows as a backup from before the rebuild has them.
  await postgres.query('DELETE FROM pending_rollups')
  await postgres.query(`SELECT setval('revisions', $1)`, [rows[0]?.last])

  await capture(postgres, second)
  await expect(loadAll(databases)).rejects.toThrow('PostgreSQL is older than ClickHouse')
  expect(await reconcile(databases)).toMatchObject({ done: true, lost: [] })
  expect((await check(databases, { from: first, to: second + 1 })).problems).toEqual([])
  await expectComplete(databases)
})
