import { readdirSync, readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { loadAll } from '../../ingest/load.ts'
import { createKey } from '../../platform/security/api-keys.ts'
import { selectRows } from '../../platform/stores/clickhouse.ts'
import { expectedSamples } from '../oracle/exporter.ts'
import type { MachineAtSlot } from '../oracle/history.ts'
import { hasPrometheus, startPrometheus } from '../prometheus.ts'
import { parseSamples } from '../prometheus-text.ts'
import { market, seenOf, spool } from '../random-market.ts'
import { startServer, type TestServer } from '../server.ts'
import { openWorld, type World } from '../world.ts'

const firstSlot = 1_750_000_200
let open: TestServer
let server: TestServer
let world: World
beforeAll(async () => {
  open = await startServer({ seriesMaxAgeMs: 0, openMarketMetrics: true })
  server = await startServer({ seriesMaxAgeMs: 0, databases: open })
  world = await openWorld(server)
})
afterAll(async () => {
  await server?.app.close()
  await open?.close()
})

const read = async (key = world.keys.host) =>
  (await server.get('/metrics/global', key)) as unknown as {
    status: number
    headers: Record<string, string>
    body: string
  }
const samplesOf = (text: string) =>
  new Map(
    parseSamples(text).map(({ name, labels, value }) => [
      `${name}{${Object.keys(labels)
        .sort()
        .map((label) => `${label}="${labels[label]}"`)
        .join()}}`,
      value,
    ]),
  )

describe('GET /metrics/global', () => {
  it('is empty without a slot', async () => {
    expect(await read()).toMatchObject({ status: 200, body: '' })
  })

  it('has every price and count of the newest slot, as the oracle counts them', async () => {
    let slot = firstSlot
    const check = async (seen: MachineAtSlot[]) => {
      await spool(server.postgres, slot, seen)
      await loadAll(server)
      const found = samplesOf((await read()).body)
      const expected = expectedSamples(seen, slot)
      expect([...found.keys()].sort()).toEqual([...expected.keys()].sort())
      for (const [name, value] of expected)
        expect([name, found.get(name)]).toEqual([name, expect.closeTo(value, 9)])
    }
    await fc.assert(
      fc.asyncProperty(market, async (random) => {
        slot += 300
        const { seen, slots } = seenOf(random, 0)
        await check(seen.filter((one) => one.slot === slots[0]).map((one) => ({ ...one, slot })))
      }),
      { numRuns: 3 },
    )
  })

  it('is for Prometheus, with a key of a host or an admin, and without one when it is open', async () => {
    const { headers, body } = await read(server.adminKey)
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(body).toContain('# TYPE vastai_gpu_count gauge')
    expect((await read(world.keys.stranger)).status).toBe(403)
    const nobody = await server.app.inject({ url: '/metrics/global' })
    expect([nobody.statusCode, nobody.headers['www-authenticate']]).toEqual([401, 'Bearer'])
    const anybody = await open.app.inject({ url: '/metrics/global/' })
    expect([anybody.statusCode, anybody.body]).toEqual([200, body])
    // A host without an active machine does not see the market.
    await server.postgres.query('UPDATE machines SET online = false WHERE account_id = $1', [world.host_id])
    const { key } = await createKey(server.postgres, { accountId: world.host_id })
    expect(await read(key)).toMatchObject({ status: 200, body: '' })
  })
})

/** An answer of Prometheus. */
interface Result {
  result: { metric: Record<string, string>; value: [number, string] }[]
}
interface Targets {
  activeTargets: { health: string; lastError: string }[]
}
interface Rules {
  groups: { rules: { name: string; health: string; lastError?: string }[] }[]
}

describe('the dashboards', () => {
  interface Target {
    expr?: string
    rawSql?: string
  }
  interface Dashboard {
    title: string
    panels: { title: string; targets?: Target[] }[]
    templating: { list: { query?: string | { query?: string }; datasource?: { type?: string } }[] }
  }
  const folder = new URL('../../deploy/grafana/dashboards/', import.meta.url)
  const dashboards = readdirSync(folder).map(
    (file) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Dashboard,
  )
  const targets = dashboards.flatMap(({ panels }) => panels.flatMap(({ targets = [] }) => targets))
  const variables = dashboards.flatMap(({ templating }) => templating.list)
  const queryOf = ({ query = '' }: (typeof variables)[number]) =>
    typeof query === 'string' ? query : (query.query ?? '')

  it('use only metrics that exist, as do the alerts', async () => {
    const own = await server.app.inject({ url: '/metrics' })
    const { body } = await open.app.inject({ url: '/metrics/global' })
    const known = new Set(
      [...own.body.matchAll(/^# TYPE (\w+) (\w+)/gm), ...body.matchAll(/^# TYPE (\w+) (\w+)/gm)].flatMap(
        ([, name = '', type]) =>
          type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
      ),
    )
    const alerts = readFileSync(new URL('../../deploy/prometheus/alerts.yml', import.meta.url), 'utf8')
    const expressions = [
      ...targets.flatMap(({ expr }) => expr ?? []),
      ...variables.filter(({ datasource }) => datasource?.type === 'prometheus').map(queryOf),
      ...[...alerts.matchAll(/expr: (.*)/g)].map(([, expr = '']) => expr),
    ]
    const asked = expressions.flatMap((expr) => expr.match(/\b(?:rackrate|vastai|process|nodejs)_\w+/g) ?? [])
    expect(asked.length).toBeGreaterThan(10)
    expect(asked.filter((name) => !known.has(name))).toEqual([])
  })

  it.runIf(hasPrometheus)('get their series from a real Prometheus, in which no rule is wrong', async () => {
    const one = { gpu: 'RTX 4090', rig: 4, verified: true, hosting: 'community' as const }
    const slot = firstSlot + 86_400
    const seen = [1, 2, 3, 4, 5].map((machine) => ({
      ...one,
      machine,
      slot,
      free: 3,
      price: 0.4,
      rented: [{ gpus: 1, price: 0.3 }],
      tflops: 330,
      dlperf: 400,
    }))
    await spool(server.postgres, slot, seen)
    await loadAll(server)
    await open.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = open.app.server.address() as AddressInfo
    const prometheus = await startPrometheus(`127.0.0.1:${port}`, server.adminKey)
    try {
      const scraped = async (least: number) => {
        const { result } = await prometheus.get<Result>('query', { query: 'sum_over_time(up[5m])' })
        expect(result.map(({ metric }) => metric.job).sort()).toEqual(['rackrate', 'rackrate-market'])
        for (const { value } of result) expect(Number(value[1])).toBeGreaterThanOrEqual(least)
      }
      // A rate needs two scrapes with a request before the second.
      await vi.waitFor(() => scraped(1), { timeout: 90_000 })
      await open.get('/api/v0/metrics/gpu/history?gpu_name=any', open.adminKey)
      await vi.waitFor(() => scraped(3), { timeout: 90_000 })
      const { activeTargets } = await prometheus.get<Targets>('targets')
      expect(activeTargets.map(({ health, lastError }) => [health, lastError])).toEqual([
        ['up', ''],
        ['up', ''],
      ])

      const names = await prometheus.get<string[]>('label/gpu_name/values')
      expect(names.length).toBeGreaterThan(0)
      const empty: string[] = []
      for (const { expr } of targets) {
        if (!expr) continue
        const query = expr.replaceAll('$gpu', names.join('|'))
        const { result } = await prometheus.get<Result>('query', { query })
        if (result.length === 0) empty.push(expr)
      }
      // This process runs no jobs.
      expect(empty.filter((expr) => !/_job_/.test(expr))).toEqual([])

      const { groups } = await prometheus.get<Rules>('rules')
      const rules = groups.flatMap(({ rules }) => rules)
      expect(rules.length).toBeGreaterThan(5)
      expect(rules.filter(({ health, lastError }) => health !== 'ok' || lastError)).toEqual([])
    } finally {
      await prometheus.stop()
    }
  })

  it('have SQL that ClickHouse runs', async () => {
    const statements = [
      ...targets.flatMap(({ rawSql }) => rawSql ?? []),
      ...variables.filter(({ datasource }) => datasource?.type !== 'prometheus').map(queryOf),
    ]
    expect(statements.length).toBeGreaterThan(3)
    for (const statement of statements) {
      const text = statement
        .replaceAll(/\$\{\w+:singlequote\}/g, "'RTX 4090'")
        .replaceAll(/\$__timeFilter\((\w+)\)/g, '$1 >= toDateTime(0)')
      await selectRows(server.clickhouse, text)
    }
  })
})
