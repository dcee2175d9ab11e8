import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createKey } from '../../platform/security/api-keys.ts'
import { createKeyFor } from '../../src/companion/keys/key-for-role.ts'
import { openCollector } from '../collector.ts'
import { freshDatabases, type TestDatabases } from '../database.ts'
import { freePort, hasRedis, type OwnServer, startRedis } from '../debian.ts'
import { smallMarket } from '../market.ts'
import { environmentOf, exited, spawnRackrate } from '../process.ts'

let databases: TestDatabases
let collector: Awaited<ReturnType<typeof openCollector>>
let redis: OwnServer | undefined
let environment: Record<string, string>
let workerPort: number

beforeAll(async () => {
  databases = await freshDatabases()
  collector = await openCollector()
  workerPort = await freePort()
  const { databaseUrl, redisUrl } = databases.queues
  redis = redisUrl || !hasRedis ? undefined : await startRedis(await freePort())
  environment = {
    ...environmentOf({ databaseUrl, redisUrl: redisUrl ?? redis?.url }, databases.clickhouseAddress),
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    WORKER_PORT: `${workerPort}`,
    PORT: '0',
  }
  await smallMarket(databases.postgres, 20)
})
afterAll(async () => {
  collector.close()
  await redis?.stop()
  await databases.close()
})

describe('a worker', () => {
  it('reports its work to Prometheus and in traces that go through the queue', async () => {
    const worker = spawnRackrate(['worker'], environment)
    const ask = async (path: string) => (await fetch(`http://127.0.0.1:${workerPort}${path}`)).text()
    await vi.waitFor(
      async () => {
        const metrics = await ask('/metrics')
        expect(metrics).toMatch(/^rackrate_loaded_slots_total [1-9]/m)
        expect(metrics).toMatch(/^rackrate_captured_observations [1-9]/m)
        expect(metrics).toMatch(
          /^rackrate_job_duration_seconds_count\{queue="capture",outcome="done"\} [1-9]/m,
        )
      },
      { timeout: 90_000, interval: 100 },
    )
    const traces = () => {
      const spans = collector.spans.filter(({ service }) => service === 'rackrate-worker')
      return [...new Set(spans.map(({ traceId }) => traceId))].map((id) =>
        spans.filter(({ traceId }) => traceId === id).map(({ name }) => name),
      )
    }
    // The load that a capture triggers is part of the capture's trace, in whichever process it runs.
    const isWhole = (names: string[]) => names.includes('process capture') && names.includes('process load')
    await vi.waitFor(() => expect(traces().some(isWhole)).toBe(true), { timeout: 90_000, interval: 100 })
    expect(JSON.parse(await ask('/healthz'))).toEqual({ status: 'ok' })
    // The present slot may just be written.
    await vi.waitFor(
      async () => expect(JSON.parse(await ask('/readyz'))).toMatchObject({ status: 'ok', spooled_slots: 0 }),
      { timeout: 90_000, interval: 500 },
    )
    worker.kill('SIGTERM')
    expect(await exited(worker), worker.output()).toBe(0)

    const loading = traces().find((each) => each.includes('clickhouse') && each.includes('process load'))
    expect(loading).toContain('add load.load')
  })
})

it('a command that ends is traced as well', async () => {
  const revoking = spawnRackrate(['key', 'revoke', '0'], environment)
  expect(await exited(revoking), revoking.output()).toBe(1)
  expect(revoking.output()).toBe('There is no active key 0.\n')
  const spans = collector.spans.filter(({ service }) => service === 'rackrate-key-revoke')
  const statements = spans.map(({ attributes }) => attributes['db.query.text'])
  expect(statements).toContainEqual(expect.stringContaining('UPDATE api_keys SET revoked_at'))
})

describe('the API', () => {
  let api: ReturnType<typeof spawnRackrate>
  let url: string
  beforeAll(async () => {
    api = spawnRackrate(['serve', '--only', 'metrics'], environment)
    url = await vi.waitFor(
      () => {
        const said = /at (http:\S+)/.exec(api.output())?.[1]
        if (!said) throw new Error(api.output())
        return said
      },
      { timeout: 90_000 },
    )
  })

  it('shows the queues to admins, and only shows them', async () => {
    const keyOf = async (role: 'host' | 'admin') => (await createKeyFor(databases.postgres, { role })).key
    const ask = (path: string, password: string, method = 'GET') =>
      fetch(`${url}/admin/queues${path}`, {
        method,
        headers: { authorization: `Basic ${Buffer.from(`x:${password}`).toString('base64')}` },
      })
    const refused = await fetch(`${url}/admin/queues`)
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringMatching(/^Basic/),
    ])
    for (const path of ['', '/api/queues', '/static/js/nothing.js'])
      for (const password of [await keyOf('host'), 'rr_nonsense', ''])
        expect((await ask(path, password)).status).toBe(401)

    const admin = await keyOf('admin')
    expect(await (await ask('', admin)).text()).toContain('rackrate queues')
    const { queues } = (await (await ask('/api/queues', admin)).json()) as {
      queues: { name: string; readOnlyMode: boolean }[]
    }
    expect(queues.map(({ name }) => name).sort()).toEqual([
      'advance',
      'advice',
      'alerts',
      'autopilot',
      'backfill',
      'capture',
      'claims',
      'forecasts',
      'job-runs',
      'list-prices',
      'load',
      'mail',
      'mend',
      'official',
      'open-data',
      'publish',
      'purge',
      'runs',
      'webhooks',
    ])
    expect(queues.every(({ readOnlyMode }) => readOnlyMode)).toBe(true)
    expect((await ask('/api/queues/capture/pause', admin, 'PUT')).status).toBe(405)
  })

  it('traces a request and what it asked ClickHouse, without the key', async () => {
    const { key } = await createKey(databases.postgres, { accountId: 1001 })
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    const response = await fetch(`${url}/api/v0/metrics/gpu/history?gpu_name=all`, {
      headers: { authorization: `Bearer ${key}` },
    })
    expect(response.status).toBe(200)
    api.kill('SIGTERM')
    expect(await exited(api), api.output()).toBe(0)

    const spans = collector.spans.filter(({ service }) => service === 'rackrate-serve')
    const request = spans.find(({ attributes }) => attributes['http.route'] === '/api/v0/metrics/gpu/history')
    expect(request).toBeDefined()
    const names = spans.filter(({ traceId }) => traceId === request?.traceId).map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['clickhouse', 'postgresql']))
    // Neither hooks of the framework, nor source text.
    expect(names.filter((name) => !/^(request|handler [\w/:]+|clickhouse|postgresql)$/.test(name))).toEqual(
      [],
    )
    expect(spans.filter(({ attributes }) => attributes['http.route'] === '/healthz')).toEqual([])
    expect(JSON.stringify(collector.spans)).not.toContain(key.slice(0, 30))
  })
})

it('the recorder of slots sets their interval, and other commands do not change it', async () => {
  const interval = async () =>
    (await databases.postgres.query<{ seconds: number }>('SELECT seconds FROM slot_interval')).rows
  const recording = spawnRackrate(['snapshot'], { ...environment, SNAPSHOT_INTERVAL: '600' })
  expect(await exited(recording), recording.output()).toBe(0)
  expect(await interval()).toEqual([{ seconds: 600 }])
  const looking = spawnRackrate(['check'], environment)
  expect(await exited(looking), looking.output()).toBe(0)
  expect(await interval()).toEqual([{ seconds: 600 }])
})
