import { afterAll, beforeAll, expect, it } from 'vitest'
import { capture } from '../../../ingest/capture.ts'
import { insertObservations, loadAll } from '../../../ingest/load.ts'
import { execute, openClickHouse, selectRows } from '../../../platform/stores/clickhouse.ts'
import { migrate } from '../../../platform/stores/migrate.ts'
import { smallMarket } from '../../market.ts'
import { startServer, type TestServer } from '../../server.ts'

// Tests of cluster features only. The tests of the series also run on a cluster, and show that its answers equal a single
// server's.
const tables = ['observations', 'price_histogram', 'cube', 'flows', 'terms', 'specs']
const slots = [1_750_000_200, 1_750_000_500]
let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await smallMarket(server.postgres, 24)
  await server.postgres.query(
    `UPDATE machines SET gpu_name = (ARRAY['A100', 'L4', 'T4', 'V100', 'P100', 'A10', 'A40'])[1 + id % 7] WHERE id % 3 = 0`,
  )
  await server.postgres.query('UPDATE gpu_listings SET min_bid = 0.1')
  for (const slot of slots) await capture(server.postgres, slot)
  await loadAll(server)
})
afterAll(() => server?.close())

const places = (table: string) =>
  selectRows<{ gpu_name: string; shards: number[] }>(
    server.clickhouse,
    'SELECT gpu_name, groupUniqArray(_shard_num) AS shards FROM {table:Identifier} GROUP BY gpu_name ORDER BY gpu_name',
    { table },
  )
it('all of a GPU name is on one shard, in every table on the same, and both have some', async () => {
  const observed = await places('observations')
  expect(new Set(observed.flatMap(({ shards }) => shards))).toEqual(new Set([1, 2]))
  expect(observed.every(({ shards }) => shards.length === 1)).toBe(true)
  for (const table of tables) expect(await places(table), table).toEqual(observed)
})

it('the ledger is whole, on the first shard', async () => {
  const rows = await selectRows(
    server.clickhouse,
    'SELECT _shard_num AS shard, uniqExact(slot) AS slots FROM slots GROUP BY shard',
  )
  expect(rows).toEqual([{ shard: 1, slots: slots.length }])
})

it('an insert that reached one shard is completed by the same again', async () => {
  const line = (gpu: string) => `[1750000800,1,"${gpu}",1,1,1,false,true,"community",0.5,1,1,"market"]`
  const gpus = ['RTX 4090', 'RTX 3090', 'H100 SXM', 'A100', 'L4', 'T4']
  const lines = gpus.map(line).join('\n')
  const count = async () =>
    (
      await selectRows<{ n: number }>(
        server.clickhouse,
        'SELECT count() AS n FROM observations WHERE slot = 1750000800',
      )
    )[0]?.n
  const insert = (text: string, token: string) =>
    insertObservations({ clickhouse: server.clickhouse, nextRevision: async () => 1 }, text, {
      slot: 1750000800,
      source: 'market',
      token,
    })
  // The state after a failure between the shards: the same token and only one shard's rows.
  const [first] = await places('observations')
  await insert(line(first?.gpu_name ?? ''), 'half')
  for (let times = 0; times < 2; times += 1) await insert(lines, 'whole')
  expect(await count()).toBe(gpus.length + 1)
  for (let times = 0; times < 2; times += 1) await insert(lines, 'half')
  const other = (await places('observations')).filter(
    ({ gpu_name, shards }) => gpus.includes(gpu_name) && shards[0] !== first?.shards[0],
  )
  expect(await count()).toBe(gpus.length + 1 + other.length)
  await execute(
    server.clickhouse,
    'DELETE FROM observations_local/*! ON CLUSTER $cluster*/ WHERE slot = 1750000800',
  )
})

it('the schema shows each table once, with the rows of all shards', async () => {
  const { body } = await server.get('/api/v0/metrics/sql/schema')
  const { tables: shown } = body as { tables: { name: string; comment: string; rows: number | null }[] }
  const tables = [
    'observations',
    'official',
    'price_histogram',
    'price_index',
    'price_steps',
    'published_days',
    'slots',
    'specs',
    'terms',
  ]
  expect(shown.map(({ name }) => name)).toEqual([
    'cube',
    'flows',
    'list_prices',
    'machine_days',
    'market',
    ...tables,
  ])
  expect(shown.every(({ comment }) => comment !== '')).toBe(true)
  const [found] = await selectRows<{ n: number }>(server.clickhouse, 'SELECT count() AS n FROM cube')
  expect(shown[0]?.rows).toBeGreaterThanOrEqual(found?.n ?? Number.NaN)
})

it('ad hoc SQL reads all shards', async () => {
  if (!server.adHoc) return
  const answer = await server.adHoc.analyst.query({
    query: `SELECT uniqExact(gpu_name) AS names FROM observations WHERE gpu_name IN (SELECT gpu_name FROM cube)`,
    format: 'JSONEachRow',
  })
  expect(await answer.json()).toEqual([{ names: (await places('observations')).length }])
})

it('a database of one way of running is refused by the other, and so is an unknown cluster', async () => {
  const { postgres, clickhouseAddress } = server
  const tryAs = async (address: typeof clickhouseAddress) => {
    const clickhouse = openClickHouse(address)
    await migrate(postgres, clickhouse, address).finally(() => clickhouse.close())
  }
  const alone = { ...clickhouseAddress, cluster: undefined }
  await expect(tryAs(alone)).rejects.toThrow('CLICKHOUSE_CLUSTER must name it')
  await expect(tryAs({ ...clickhouseAddress, cluster: 'other' })).rejects.toThrow('knows no cluster other')
  const single = { ...alone, database: `${clickhouseAddress.database}_single` }
  await tryAs(single)
  await expect(tryAs({ ...single, cluster: clickhouseAddress.cluster })).rejects.toThrow('single server')
  const clickhouse = openClickHouse(single)
  await execute(clickhouse, 'DROP DATABASE {name:Identifier}', { name: single.database })
  await clickhouse.close()
})

it('tables are spread as those before them, whatever shards came since', async () => {
  const { postgres, clickhouseAddress } = server
  const address = { ...clickhouseAddress, database: `${clickhouseAddress.database}_grown` }
  await execute(server.clickhouse, `CREATE DATABASE ${address.database}/*! ON CLUSTER $cluster*/`)
  const clickhouse = openClickHouse(address)
  await execute(
    clickhouse,
    `CREATE TABLE cube AS ${clickhouseAddress.database}.cube ENGINE = Distributed(/*!$cluster, $database*/, cube_local, cityHash64(gpu_name) % {shards:UInt16})`,
    { shards: 1 },
  )
  await migrate(postgres, clickhouse, address)
  const [row] = await selectRows<{ ddl: string }>(
    clickhouse,
    `SELECT create_table_query AS ddl FROM system.tables WHERE database = currentDatabase() AND name = 'observations'`,
  )
  expect(row?.ddl).toMatch(/cityHash64\(gpu_name\) % _CAST\(1,/)
  await execute(clickhouse, `DROP DATABASE ${address.database}/*! ON CLUSTER $cluster*/`)
  await clickhouse.close()
})

it('a schema that is there is left alone, unless one asks', async () => {
  const { postgres, clickhouse, clickhouseAddress } = server
  await execute(clickhouse, 'DROP VIEW slot_rows/*! ON CLUSTER $cluster*/')
  const views = () => selectRows(clickhouse, `SHOW TABLES LIKE 'slot_rows'`)
  await migrate(postgres, clickhouse, clickhouseAddress)
  expect(await views()).toEqual([])
  await migrate(postgres, clickhouse, clickhouseAddress, { again: true })
  expect(await views()).toEqual([{ name: 'slot_rows' }])
})
