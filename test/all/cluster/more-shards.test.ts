import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ClickHouseServer } from '../../../embedded/clickhouse.ts'
import { insertObservations, loadAll } from '../../../ingest/load.ts'
import { placeNamesOf } from '../../../ingest/place-names.ts'
import { publishDays } from '../../../ingest/publish-days.ts'
import { type ClickHouse, execute, openClickHouse, selectRows } from '../../../platform/stores/clickhouse.ts'
import { migrate } from '../../../platform/stores/migrate.ts'
import { addSeen } from '../../daily-market.ts'
import { freshDatabases, type TestDatabases } from '../../database.ts'
import { type Cluster, startClusters } from '../../pair.ts'
import { environmentOf, exited, spawnRackrate } from '../../process.ts'
import { threeDays } from '../../properties/corruption.ts'
import { startServer, type TestServer } from '../../server.ts'

// A site of two shards gets a third one by the steps of docs/cluster.md.
const gpuNames = [
  'RTX 4090',
  'RTX 3090',
  'H100 SXM',
  'L4',
  'T4',
  'A10',
  'A40',
  'V100',
  'P100',
  'A100 PCIE',
  'A100 SXM4',
  'RTX A6000',
]
const range = 'start=1699920000&end=1700179200'
const paths = gpuNames.flatMap((name) => {
  const gpu = `gpu_name=${encodeURIComponent(name)}`
  return [
    `/api/v0/metrics/gpu/history?${gpu}&${range}&step=3600`,
    `/api/v0/metrics/gpu/history?${gpu}&${range}&step=86400`,
    `/api/v0/metrics/gpu/history?${gpu}&${range}&step=300`,
    `/api/v0/metrics/gpu/prices?${gpu}&${range}&step=86400`,
    `/api/v0/metrics/gpu/index?${gpu}&${range}`,
    `/api/v0/metrics/gpu/fill?${gpu}&${range}`,
    `/api/v0/metrics/gpu/churn?${gpu}&${range}`,
    `/api/v0/metrics/gpu/depth?${gpu}`,
  ]
})
let dir: string
let clusters: Record<'pair' | 'trio', Cluster>
let shards: { server: ClickHouseServer }[]
let stop: () => Promise<void>
let databases: TestDatabases
let server: TestServer
let before: unknown[]
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'rackrate-shards-'))
  const started = await startClusters(dir, 'test_', { pair: 2, trio: 3 })
  clusters = started.clusters
  shards = started.shards
  stop = started.stop
  databases = await freshDatabases(undefined, clusters.pair)
  await addSeen(
    databases,
    threeDays().map((one) => ({ ...one, gpu: gpuNames[one.machine % gpuNames.length] ?? '' })),
  )
  await loadAll(databases)
  await publishDays(databases)
  server = await startServer({ databases })
  before = await answersOf(server)
})
afterAll(async () => {
  await server?.close()
  await stop?.()
  rmSync(dir, { recursive: true, force: true })
})

/** One after the other: all at once take longer than a request may on a busy machine. */
async function answersOf({ get }: TestServer) {
  const answers = []
  for (const path of paths) {
    const { status, body } = await get(path)
    answers.push({ path, status, body })
  }
  return answers
}

const target = () => ({
  ...clusters.trio,
  database: `${databases.clickhouseAddress.database}_trio`,
})

async function copy(from: string) {
  const process = spawnRackrate(['copy', '--from', from], environmentOf(databases.queues, target()))
  return { code: await exited(process), output: process.output() }
}

const places = (clickhouse: ClickHouse, table: string) =>
  selectRows<{ gpu_name: string; shards: number[] }>(
    clickhouse,
    'SELECT gpu_name, groupUniqArray(_shard_num) AS shards FROM {table:Identifier} GROUP BY gpu_name ORDER BY gpu_name',
    { table },
  )

it('a copy to three shards has all rows, and a third of them on each shard', async () => {
  expect(before).toEqual(paths.map((path) => expect.objectContaining({ path, status: 200 })))
  const { code, output } = await copy(databases.clickhouseAddress.database)
  expect(code, output).toBe(0)
  expect(output).toMatch(/^\d+ tables are copied and equal\.$/m)
  const shares = [...output.matchAll(/^Shard (\d): \d+ observations, ([\d.]+) times its share\.$/gm)]
  expect(shares.map(([, shard]) => shard)).toEqual(['1', '2', '3'])
  for (const [, , multiple] of shares) expect(Number(multiple)).toBeCloseTo(1, 1)
  const clickhouse = openClickHouse(target())
  const observed = await places(clickhouse, 'observations')
  expect(observed.every(({ shards }) => shards.length === 1)).toBe(true)
  for (const table of ['cube', 'flows', 'price_histogram', 'price_steps', 'machine_days'])
    expect(await places(clickhouse, table), table).toEqual(observed)
  await clickhouse.close()
})

it('every endpoint answers as before, and a check is clean', async () => {
  const clickhouse = openClickHouse(target())
  const moved = await startServer({
    databases: { ...databases, clickhouse, clickhouseAddress: target(), close: async () => {} },
  })
  expect(await answersOf(moved)).toEqual(before)
  const process = spawnRackrate(['check'], environmentOf(databases.queues, target()))
  expect(await exited(process), process.output()).toBe(0)
  await moved.close()
  await clickhouse.close()
})

it('a database with rows, the database itself and one without a series are refused', async () => {
  expect(await copy(databases.clickhouseAddress.database)).toMatchObject({
    code: 2,
    output: expect.stringContaining('Only an empty database takes a copy: drop it, and copy again.'),
  })
  expect(await copy(target().database)).toMatchObject({
    code: 2,
    output: expect.stringContaining('is the database of CLICKHOUSE_DATABASE itself'),
  })
})

it('a GPU name that two servers get at once, and that the copy did not know, is on one shard', async () => {
  const newName = 'RTX 9090'
  const [first, , third] = shards
  const clients = [first, third].map((one) =>
    openClickHouse({ ...target(), ...one?.server, database: target().database }),
  )
  const line = (machine: number) =>
    `[1700179200,${machine},"${newName}",1,1,1,false,true,"community",0.5,1,1,"market"]`
  await Promise.all(
    clients.map((clickhouse, index) =>
      insertObservations({ clickhouse, nextRevision: async () => 1 }, line(index + 1), {
        slot: 1700179200,
        source: 'market',
        token: `worker ${index}`,
      }),
    ),
  )
  for (const clickhouse of clients) {
    const placed = (await places(clickhouse, 'observations')).filter(({ gpu_name }) => gpu_name === newName)
    expect(placed).toMatchObject([{ shards: [expect.any(Number)] }])
    const query = 'SELECT count() AS n FROM observations WHERE gpu_name = {name:String}'
    const skips = {
      query_params: { name: newName },
      clickhouse_settings: { optimize_skip_unused_shards: 1 as const },
    }
    const answer = await clickhouse.query({ query, format: 'JSONEachRow', ...skips })
    expect(await answer.json()).toEqual([{ n: 2 }])
    await clickhouse.close()
  }
})

it('tables of later migrations have the list, and tables with different keys are refused', async () => {
  const clickhouse = openClickHouse(target())
  const keys = () =>
    selectRows<{ key: string }>(
      clickhouse,
      `SELECT DISTINCT extract(engine_full, '_local\\', (.*)\\)$') AS key FROM system.tables
WHERE database = currentDatabase() AND engine = 'Distributed' AND engine_full LIKE '%gpu_name%'`,
    )
  const [before, ...others] = await keys()
  expect(before?.key).toMatch(/^transform\(cityHash64\(gpu_name\), /)
  expect(others).toEqual([])
  await execute(clickhouse, 'DROP TABLE specs/*! ON CLUSTER $cluster*/ SYNC')
  await migrate(databases.postgres, clickhouse, target(), { again: true })
  expect(await keys()).toEqual([before])
  await placeNamesOf(clickhouse, 'specs', { hashes: [1n], places: [0], shards: 3 })
  await expect(migrate(databases.postgres, clickhouse, target())).rejects.toThrow(
    'spreads its tables in 2 ways, since a copy into it was ended',
  )
  await clickhouse.close()
})
