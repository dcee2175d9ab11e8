import { afterAll, beforeAll, expect, it } from 'vitest'
import { capture } from '../../../ingest/capture.ts'
import { check, seriesRange } from '../../../ingest/check.ts'
import { loadAll } from '../../../ingest/load.ts'
import { mendSeries } from '../../../ingest/mend.ts'
import { execute } from '../../../platform/stores/clickhouse.ts'
import { smallMarket } from '../../market.ts'
import { startServer, type TestServer } from '../../server.ts'

const slots = [1_750_000_500, 1_750_001_400, 1_750_002_300]
const onAll = ' ON CLUSTER $cluster'
let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await smallMarket(server.postgres, 24)
  // Names of both shards.
  await server.postgres.query(
    `UPDATE machines SET gpu_name = (ARRAY['A100', 'L4', 'T4', 'V100', 'P100', 'A10', 'A40'])[1 + id % 7] WHERE id % 3 = 0`,
  )
  for (const slot of slots) await capture(server.postgres, slot)
  await loadAll(server)
})
afterAll(() => server?.close())

/** Removes all rows of a table from the first shard, or from all. */
const empty = (table: string, where = '') =>
  execute(server.clickhouse, `TRUNCATE TABLE ${table}_local/*!${where}*/ SYNC`)
const problems = async () => (await check(server, await seriesRange(server.clickhouse))).problems

it('rows that all shards lack are computed again', async () => {
  await empty('cube', onAll)
  await empty('price_histogram', onAll)
  const mended = await mendSeries(server)
  expect(mended).toMatchObject({ broken: [], lost: [] })
  expect(mended.hours).toBeGreaterThan(0)
  expect(await problems()).toEqual([])
})

it('observations that one shard lacks are loaded again', async () => {
  await empty('observations')
  expect(await mendSeries(server)).toMatchObject({ reloaded: slots.length, lost: [] })
  expect(await problems()).toEqual([])
})

it('derived rows that only one shard lacks are found by a check, not by the repair', async () => {
  await empty('cube')
  expect(await mendSeries(server)).toEqual({ broken: [], hours: 0, reloaded: 0, lost: [] })
  expect((await problems()).length).toBeGreaterThan(0)
})
