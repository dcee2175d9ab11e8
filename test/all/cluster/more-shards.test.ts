import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { loadAll } from '../../../ingest/load.ts'
import { publishDays } from '../../../ingest/publish-days.ts'
import { openClickHouse, selectRows } from '../../../platform/stores/clickhouse.ts'
import { addSeen } from '../../daily-market.ts'
import { freshDatabases, type TestDatabases } from '../../database.ts'
import { type Cluster, startClusters } from '../../pair.ts'
import { environmentOf, exited, spawnRackrate } from '../../process.ts'
import { threeDays } from '../../properties/corruption.ts'
import { startServer, type TestServer } from '../../server.ts'

// A site of two shards gets a third one by the steps of docs/cluster.md.
// Their hashes are on all three shards.
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
let stop: () => Promise<void>
let databases: TestDatabases
let server: TestServer
let before: unknown[]
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'rackrate-shards-'))
  const started = await startClusters(dir, 'test_', { pair: 2, trio: 3 })
  clusters = started.clusters
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

const answersOf = ({ get }: TestServer) =>
  Promise.all(
    paths.map(async (path) => {
      const { status, body } = await get(path)
      return { path, status, body }
    }),
  )

const target = () => ({
  ...clusters.trio,
  database: `${databases.clickhouseAddress.database}_trio`,
})

async function copy(from: string) {
  const process = spawnRackrate(['copy', '--from', from], environmentOf(databases.queues, target()))
  return { code: await exited(process), output: process.output() }
}

it('a copy to three shards has all rows, on each of the shards some', async () => {
  expect(before).toEqual(paths.map((path) => expect.objectContaining({ path, status: 200 })))
  expect(await copy(databases.clickhouseAddress.database)).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^\d+ tables are copied and equal\.$/m),
  })
  const clickhouse = openClickHouse(target())
  const shards = await selectRows<{ shard: number }>(
    clickhouse,
    'SELECT DISTINCT _shard_num AS shard FROM observations ORDER BY shard',
  )
  expect(shards).toEqual([{ shard: 1 }, { shard: 2 }, { shard: 3 }])
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
