import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadAll } from '../../ingest/load.ts'
import { createKey } from '../../platform/security/api-keys.ts'
import { selectRows } from '../../platform/stores/clickhouse.ts'
import { expectedSamples } from '../oracle/exporter.ts'
import type { Seen } from '../oracle/history.ts'
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
    const check = async (seen: Seen[]) => {
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

  it('and the alerts ask for metrics that exist', async () => {
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
