import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { capture } from '../../../ingest/capture.ts'
import { loadAll } from '../../../ingest/load.ts'
import { freshDatabases } from '../../database.ts'
import { smallMarket } from '../../market.ts'
import { startClusters } from '../../pair.ts'
import { startServer, type TestServer } from '../../server.ts'

const paths = ['A100', 'L4', 'T4', 'V100'].flatMap((name) => [
  `/api/v0/metrics/gpu/history?gpu_name=${name}&start=1750000000&end=1750001000&step=300`,
  `/api/v0/metrics/gpu/fill?gpu_name=${name}&start=1750000000&end=1750001000`,
])
let dir: string
let started: Awaited<ReturnType<typeof startClusters<'pair'>>>
let server: TestServer
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'rackrate-away-'))
  started = await startClusters(dir, 'test_', { pair: 2 })
  const databases = await freshDatabases(undefined, started.clusters.pair)
  await smallMarket(databases.postgres, 24)
  await capture(databases.postgres, 1_750_000_200)
  await loadAll(databases)
  server = await startServer({ databases })
})
afterAll(async () => {
  await server?.close().catch(() => {})
  await started?.stop().catch(() => {})
  rmSync(dir, { recursive: true, force: true })
})

it('questions about every GPU name get 503 with Retry-After while one shard is away', async () => {
  await started.shards[1]?.stop()
  for (const path of paths) {
    const { status, body, headers } = await server.get(path)
    const retry = headers['retry-after']
    expect({ path, status, body, retry }).toMatchObject({
      path,
      status: 503,
      body: { error: 'unavailable' },
      retry: '1',
    })
  }
  expect(await server.get('/readyz')).toMatchObject({
    status: 503,
    body: { dependencies: { clickhouse: { reason: 'A server of the ClickHouse cluster is away.' } } },
  })
})
