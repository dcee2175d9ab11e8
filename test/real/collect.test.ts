import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { readConfig } from '../../cli/config.ts'
import { type Market, openMarket } from '../../cli/markets.ts'
import { collect } from '../../collect/collect.ts'
import { openSource } from '../../collect/open-source.ts'
import { keepToSource, siteSource } from '../../collect/site-source.ts'
import { listSources, registerSources } from '../../collect/sources.ts'
import { capture } from '../../ingest/capture.ts'
import { check, seriesRange } from '../../ingest/check.ts'
import { loadAll } from '../../ingest/load.ts'
import { publishDays } from '../../ingest/publish-days.ts'
import { execute, selectRows } from '../../platform/stores/clickhouse.ts'
import { throughDefault } from '../../platform/stores/migrate.ts'
import { connectAssistant } from '../assistant.ts'
import { hasBrowser, openWeb, violationsOf } from '../browser.ts'
import { freshDatabases, type TestDatabases, testKey } from '../database.ts'
import { smallMarket } from '../market.ts'
import { environmentOf, exited, spawnRackrate } from '../process.ts'
import { startServer } from '../server.ts'
import { faults as allFaults, expectedRows, openStandIn, rigsAt, type StandIn } from '../stand-in.ts'

const interval = 300
// It is asked here whether something has changed.
const { 'status 304 without being asked for it': _, ...faults } = allFaults
const first = 1_795_000_200
const slotAt = (index: number) => first + index * interval

let databases: TestDatabases
let standIn: StandIn
beforeEach(async () => {
  databases = await freshDatabases()
  standIn = await openStandIn()
})
afterEach(async () => {
  standIn.close()
  await databases.close()
})

const sourceOf = (kind: string) => openSource(`${kind}=${standIn.url}`, {})
/** Takes a slot whose market the stand-in has at that time. */
async function take(index: number, { kind = 'exporter', accept = false, source = sourceOf(kind) } = {}) {
  standIn.time = slotAt(index)
  return collect(databases.postgres, source, { slot: slotAt(index), interval, accept })
}
const observations = (slot: number) =>
  selectRows(
    databases.clickhouse,
    `SELECT machine_id, gpu_name, num_gpus, host_id, toFloat64(price) AS price, gpus, rented, machines FROM observations
     WHERE slot = toDateTime({slot:UInt32}, 'UTC') AND source = 'market' ORDER BY machine_id, rented`,
    { slot },
  )
async function slotsTaken(): Promise<number[]> {
  const { rows } = await databases.postgres.query<{ slot: number }>(
    'SELECT slot FROM snapshots ORDER BY slot',
  )
  return rows.map(({ slot }) => (slot - first) / interval)
}
const nothingWrong = async () =>
  expect(await check(databases, await seriesRange(databases.clickhouse))).toEqual({
    rows: [],
    flows: [],
    slots: [],
    lost: [],
  })

describe.each(['exporter', 'vast'])('the source %s', (kind) => {
  it('comes into the series through spool, ledger and roll-up', async () => {
    await keepToSource(databases.postgres, sourceOf(kind))
    expect(await take(0, { kind })).toMatchObject({ slot: first, machines: 40, unchanged: false })
    standIn.rigs = rigsAt(40, 1)
    expect(await take(1, { kind })).toMatchObject({ slot: slotAt(1), unchanged: false })
    expect(await loadAll(databases)).toBe(2)
    expect(await observations(slotAt(0))).toEqual(expectedRows(rigsAt(40, 0)))
    expect(await observations(slotAt(1))).toEqual(expectedRows(rigsAt(40, 1)))
    await nothingWrong()
  })
})

it('a market that has not changed is that of the slot before, once more', async () => {
  await keepToSource(databases.postgres, sourceOf('exporter'))
  await take(0)
  const asBefore = () => collect(databases.postgres, sourceOf('exporter'), { slot: slotAt(1), interval })
  expect(await asBefore()).toMatchObject({ slot: slotAt(1), unchanged: true })
  expect(standIn.requests[1]?.headers['if-none-match']).toBeDefined()
  await loadAll(databases)
  expect(await observations(slotAt(1))).toEqual(await observations(slotAt(0)))
  await nothingWrong()

  // Without its lines in the spool there is nothing to repeat, so the source must send all of it.
  await databases.postgres.query('DELETE FROM spool')
  expect(
    await collect(databases.postgres, sourceOf('exporter'), { slot: slotAt(2), interval }),
  ).toMatchObject({
    unchanged: false,
  })
  expect(standIn.requests[2]?.headers['if-none-match']).toBeUndefined()

  // A source that hears nothing itself says for hours that nothing has changed.
  const old = collect(databases.postgres, sourceOf('exporter'), { slot: slotAt(4), interval })
  await expect(old).rejects.toThrow('Its market is 1200 seconds old')
  expect(await slotsTaken()).toEqual([0, 1, 2])
})

it('whatever goes wrong with a source, the slot is a gap and the last good slot stands', async () => {
  await keepToSource(databases.postgres, sourceOf('exporter'))
  await take(0)
  let index = 0
  for (const [name, [fault, problem]] of Object.entries(faults)) {
    standIn.fault = fault
    await expect(take(index + 1), name).rejects.toThrow(problem)
    expect(await siteSource(databases.postgres)).toMatchObject({
      ...{ failures: 1, good_slot: slotAt(index), machines: 40, problem: expect.stringMatching(problem) },
    })
    expect((await slotsTaken()).at(-1)).toBe(index)

    standIn.fault = undefined
    standIn.rigs = rigsAt(40, index)
    index += 2
    await take(index)
    expect(await siteSource(databases.postgres)).toMatchObject({ failures: 0, problem: null })
  }
  const good = Array.from({ length: index / 2 + 1 }, (_, turn) => turn * 2)
  expect(await slotsTaken()).toEqual(good)
  // The first and the last of them are enough to load.
  const between = 'DELETE FROM snapshots WHERE slot > $1 AND slot < $2'
  await databases.postgres.query(between, [slotAt(0), slotAt(index)])
  expect(await loadAll(databases)).toBe(2)
  expect(await observations(slotAt(index))).toEqual(expectedRows(standIn.rigs))
  await nothingWrong()
})

it('a source that is too slow is given up before the next slot', async () => {
  await keepToSource(databases.postgres, sourceOf('exporter'))
  standIn.fault = (response) => response.writeHead(200).write('{"offers": [')
  const slow = collect(databases.postgres, sourceOf('exporter'), { slot: first, interval: 11 })
  await expect(slow).rejects.toThrow('There was no complete answer within 1 seconds.')
  expect(await slotsTaken()).toEqual([])
})

describe('half a list', () => {
  it.each([20, 29])('of %d machines after 40 is not taken, until somebody says so', async (left) => {
    await keepToSource(databases.postgres, sourceOf('vast'))
    await take(0, { kind: 'vast' })
    standIn.rigs = rigsAt(left)
    await expect(take(1, { kind: 'vast' })).rejects.toThrow(
      `It lists ${left} machines, after 40 in the last good slot.`,
    )
    expect(await take(1, { kind: 'vast', accept: true })).toMatchObject({ machines: left })
    expect(await take(2, { kind: 'vast' })).toMatchObject({ machines: left })
    expect(await slotsTaken()).toEqual([0, 1, 2])
  })

  it('is more than a market that moves', async () => {
    await keepToSource(databases.postgres, sourceOf('exporter'))
    await take(0)
    for (const [index, machines] of [30, 60, 58, 45, 34].entries()) {
      standIn.rigs = rigsAt(machines)
      expect(await take(index + 1)).toMatchObject({ machines })
    }
    standIn.rigs = rigsAt(40).map((rig) => ({ ...rig, gpu: rig.id % 3 === 0 ? '\u0007' : rig.gpu }))
    await expect(take(6)).rejects.toThrow('13 of 40 records cannot be used, most of them for: gpu_name')
  })

  it('of a small market may be two machines less', async () => {
    standIn.rigs = rigsAt(4)
    await keepToSource(databases.postgres, sourceOf('exporter'))
    await take(0)
    standIn.rigs = rigsAt(2)
    expect(await take(1)).toMatchObject({ machines: 2 })
  })
})

describe('a source is left in peace', () => {
  it('it is asked once for a slot, by all workers together', async () => {
    await keepToSource(databases.postgres, sourceOf('exporter'))
    const taken = await Promise.all([take(0), take(0), take(0)])
    expect(taken.filter(Boolean)).toHaveLength(1)
    standIn.fault = (response) => response.writeHead(500).end()
    await Promise.all(
      [take(1), take(1).catch(() => {}), take(1).catch(() => {})].map((one) => one.catch(() => {})),
    )
    expect(await take(1)).toBeUndefined()
    expect(standIn.requests).toHaveLength(2)
  })

  it('it is asked less and less while it gives no market, at least once an hour', async () => {
    await keepToSource(databases.postgres, sourceOf('exporter'))
    standIn.fault = (response) => response.writeHead(500).end()
    const asked: number[] = []
    for (let index = 0; index < 40; index += 1) {
      const before = standIn.requests.length
      await take(index).catch(() => {})
      if (standIn.requests.length > before) asked.push(index)
    }
    expect(asked).toEqual([0, 1, 3, 7, 15, 27, 39])
    standIn.fault = undefined
    expect(await take(40, { accept: true })).toMatchObject({ machines: 40 })
    expect(await take(41)).toMatchObject({ machines: 40 })
  })

  it('it says itself when it wants to be asked again', async () => {
    await keepToSource(databases.postgres, sourceOf('exporter'))
    const now = Math.floor(Date.now() / interval / 1000) * interval
    const at = (slots: number) =>
      collect(databases.postgres, sourceOf('exporter'), { slot: now + slots * interval, interval })
    standIn.fault = (response) => response.writeHead(429, { 'retry-after': '1800' }).end('slow down')
    await expect(at(0)).rejects.toThrow('status 429')
    standIn.fault = undefined
    for (let slots = 1; slots < 6; slots += 1) expect(await at(slots)).toBeUndefined()
    expect(standIn.requests).toHaveLength(1)
    // From when it said so, which may be the next slot already.
    standIn.time = now + 8 * interval
    expect(await at(8)).toMatchObject({ machines: 40 })
  })

  it('when a process ends during its request, another one asks again, but not at once', async () => {
    await keepToSource(databases.postgres, sourceOf('exporter'))
    await take(0)
    await databases.postgres.query(
      `UPDATE collector SET asked_slot = $1, answered = false, asked_at = now()`,
      [slotAt(1)],
    )
    expect(await take(1)).toBeUndefined()
    await databases.postgres.query(`UPDATE collector SET asked_at = now() - interval '3 minutes'`)
    expect(await take(1)).toMatchObject({ slot: slotAt(1) })

    // One that stops in order leaves the slot to the next.
    const stop = new AbortController()
    standIn.fault = () => stop.abort()
    const options = { slot: slotAt(2), interval, stop: stop.signal }
    await expect(collect(databases.postgres, sourceOf('exporter'), options)).rejects.toThrow(/abort/i)
    standIn.fault = undefined
    expect(await take(2)).toMatchObject({ slot: slotAt(2) })
    expect(await siteSource(databases.postgres)).toMatchObject({ failures: 0 })
  })
})

describe('a site records one market', () => {
  it('and does not change its source by mistake', async () => {
    const { postgres } = databases
    await keepToSource(postgres, undefined)
    const source = sourceOf('exporter')
    await keepToSource(postgres, source)
    await keepToSource(postgres, source)
    await expect(keepToSource(postgres, undefined)).rejects.toThrow(`This site records ${source.name}.`)
    const moved = openSource('exporter=http://other:8622', {})
    await expect(keepToSource(postgres, moved)).rejects.toThrow('a market has one source')
    await keepToSource(postgres, moved, { replace: true })
    await keepToSource(postgres, moved)
    // A worker that still runs with the old one asks no more, and says so.
    await expect(take(0, { source })).rejects.toThrow(`This site records ${moved.name}`)
    expect(standIn.requests).toEqual([])
    // One that runs without a source takes no empty market in its place.
    expect(await capture(postgres, first)).toBeUndefined()
  })

  it('so a marketplace of its own, or a simulated one, has no source', async () => {
    const { postgres } = databases
    await capture(postgres, first - interval) // an empty one, as after a start without a source
    await keepToSource(postgres, sourceOf('exporter'))
    await postgres.query('DELETE FROM collector')
    await smallMarket(postgres, 3)
    await expect(keepToSource(postgres, sourceOf('exporter'))).rejects.toThrow(
      'marketplace of its own database',
    )
    await postgres.query(
      'DELETE FROM gpu_holds; DELETE FROM contracts; DELETE FROM gpu_listings; DELETE FROM machines',
    )
    await keepToSource(postgres, sourceOf('exporter'))
  })
})

it('has statistics of the days: flows, an index, and a history that the API answers', async () => {
  const hours = 3 * 3600
  const start = Math.floor(first / 86_400) * 86_400
  await databases.postgres.query('UPDATE flow_progress SET interval = $1', [hours])
  await keepToSource(databases.postgres, sourceOf('exporter'))
  for (let step = 0; step <= 16; step += 1) {
    const slot = start + step * hours
    Object.assign(standIn, { rigs: rigsAt(40, step), time: slot })
    await collect(databases.postgres, sourceOf('exporter'), { slot, interval: hours })
  }
  expect(await loadAll(databases)).toBe(17)
  expect(await publishDays(databases)).toBe(3)
  const [flows] = await selectRows(
    databases.clickhouse,
    'SELECT sum(rentals) > 100 AS rentals, sum(returns) > 100 AS returns FROM flows FINAL',
  )
  expect(flows).toEqual({ rentals: 1, returns: 1 })
  await nothingWrong()

  const server = await startServer({ databases, snapshotInterval: hours })
  try {
    const days = `start=${start}&end=${start + 2 * 86_400}`
    const index = await server.get(`/api/v0/metrics/gpu/index?market=true&${days}`)
    expect(index.body).toMatchObject({ market: { level: [null, expect.any(Number)] } })
    const history = await server.get(
      `/api/v0/metrics/gpu/history?gpu_name=RTX_4090&verified=all&step=86400&${days}`,
    )
    const gpus = rigsAt(40).reduce((sum, rig) => sum + (rig.gpu === 'RTX 4090' ? rig.gpus : 0), 0)
    expect(history.body).toMatchObject({
      gpus: { 'RTX 4090': { supply_demand: { total_gpus: [gpus, gpus] } } },
    })
    expect(await server.get('/api/v0/metrics/gpu/locations')).toMatchObject({ status: 200 })
    const fill = await server.get(`/api/v0/metrics/gpu/fill?gpu_name=RTX_4090&verified=all&${days}`)
    expect(JSON.stringify(fill.body)).toContain('"rentals":')
  } finally {
    await server.app.close()
  }
})

describe('two sources of one site', () => {
  let other: StandIn
  let market: Market
  beforeEach(async () => {
    other = await openStandIn()
    await registerSources(databases.postgres, ['exporter', 'vast'])
    const stores = await openMarket(readConfig({ SNAPSHOT_INTERVAL: `${interval}` }), databases, 'vast')
    market = { ...stores, name: 'vast', isCollected: true }
    await keepToSource(databases.postgres, sourceOf('exporter'))
    await keepToSource(market.postgres, otherSource())
  })
  afterEach(async () => {
    other.close()
    await execute(market.clickhouse, 'DROP DATABASE {name:Identifier}/*! ON CLUSTER $cluster*/', {
      name: market.clickhouseAddress.database,
    })
    await market.close()
    const name = new URL(market.queues.databaseUrl).pathname.slice(1)
    await databases.postgres.query(`DROP DATABASE ${name} WITH (FORCE)`)
  })

  const otherSource = () => openSource(`vast=${other.url}`, {})
  const dear = (count: number, step: number) =>
    rigsAt(count, step).map((rig) => ({ ...rig, price: rig.price * 2 }))
  async function takeBoth(index: number): Promise<void> {
    standIn.rigs = rigsAt(40, index)
    other.rigs = dear(60, index)
    await take(index)
    await collect(market.postgres, otherSource(), { slot: slotAt(index), interval })
  }
  const slotsOf = async (of: Pick<TestDatabases, 'clickhouse'>): Promise<number[]> => {
    const query = 'SELECT toUnixTimestamp(slot) AS slot FROM slots FINAL WHERE ready ORDER BY slot'
    const rows = await selectRows<{ slot: number }>(of.clickhouse, query)
    return rows.map(({ slot }) => (slot - first) / interval)
  }
  const isWhole = async (of: Pick<TestDatabases, 'postgres' | 'clickhouse'>) =>
    expect(await check(of, await seriesRange(of.clickhouse))).toEqual({
      rows: [],
      flows: [],
      slots: [],
      lost: [],
    })

  it('stay apart: in their figures, in their gaps, in the API and in SQL', async () => {
    await takeBoth(0)
    other.fault = (response) => response.writeHead(500).end()
    await expect(takeBoth(1)).rejects.toThrow('status 500')
    other.fault = undefined
    await takeBoth(2)
    await loadAll(databases)
    await loadAll(market)
    expect([await slotsOf(databases), await slotsOf(market)]).toEqual([
      [0, 1, 2],
      [0, 2],
    ])
    expect(await observations(slotAt(2))).toEqual(expectedRows(rigsAt(40, 2)))
    await isWhole(databases)
    await isWhole(market)

    const server = await startServer({ databases, markets: [market] })
    try {
      const total = async (source: string) => {
        const { body } = await server.get(`/api/v0/metrics/gpu/current?verified=all${source}`)
        const { gpus } = body as { gpus: { total_gpus: number }[] }
        return gpus.reduce((sum, row) => sum + row.total_gpus, 0)
      }
      const gpusOf = (count: number) => rigsAt(count).reduce((sum, rig) => sum + rig.gpus, 0)
      // Twice, since the second answer may come from a cache.
      for (const _ of [1, 2]) {
        expect(await total('')).toBe(gpusOf(40))
        expect(await total('&source=vast')).toBe(gpusOf(60))
        expect(await total('&source=exporter')).toBe(gpusOf(40))
      }
      expect((await server.get('/api/v0/metrics/sources')).body).toEqual({
        success: true,
        sources: [
          { name: 'exporter', newest_slot: slotAt(2), failures: 0, problem: null },
          { name: 'vast', newest_slot: slotAt(2), failures: 0, problem: null },
        ],
      })
      const base = await server.app.listen({ host: '127.0.0.1', port: 0 })
      const assistant = await connectAssistant(base, server.adminKey)
      const tell = async (name: string, given: Record<string, string> = {}) => {
        const { content } = await assistant.callTool({ name, arguments: given })
        return (content as { text: string }[])[0]?.text ?? ''
      }
      const newest = new Date(slotAt(2) * 1000).toISOString().replace('.000', '')
      expect(JSON.parse(await tell('sources')).data.sources).toEqual([
        { name: 'exporter', newest },
        { name: 'vast', newest },
      ])
      for (const [source, count] of [
        ['exporter', 40],
        ['vast', 60],
      ] as const) {
        const { data } = JSON.parse(await tell('current_market', { source }))
        const counts = (data.gpus as { total_gpus: number }[]).map(({ total_gpus }) => total_gpus)
        expect([source, counts.reduce((sum, gpus) => sum + gpus, 0)]).toEqual([source, gpusOf(count)])
      }
      expect(await tell('gpu_types', { source: 'nope' })).toBe('source must be exporter or vast')
      await assistant.close()
      const question = `verified=all&gpu_name=RTX+4090&start=${slotAt(0)}&end=${slotAt(3)}`
      for (const source of ['', '&source=exporter', '&source=vast', '&source=nope']) {
        const query = `${question}${source}`
        const made = await server.send('POST', '/api/v0/shares', server.adminKey, { query })
        expect(made.status).toBe(source === '&source=nope' ? 400 : 200)
        if (made.status !== 200) continue
        const token = (made.body as { url: string }).url.split('=')[1]
        const shared = (await server.get(`/api/v0/shared/${token}`)).body as { gpus: object }
        const history = (await server.get(`/api/v0/metrics/gpu/history?${query}`)).body as { gpus: object }
        expect(shared.gpus).toEqual(history.gpus)
        const picture = await server.app.inject({ url: `/api/v0/shared/${token}/picture` })
        expect(picture.statusCode).toBe(200)
      }
      const global = await server.get('/metrics/global?source=vast')
      expect(global.body).toMatch(`rackrate_market_slot_timestamp_seconds ${slotAt(2)}`)
      for (const wrong of [
        ...['source=nope', 'source=', 'source=vast&source=exporter', 'source=Vast'],
        ...['source=vast%00', '%73ource=vast', 'source[]=vast'],
      ]) {
        const answer = await server.get(`/api/v0/metrics/gpu/history?${wrong}`)
        const isOther = wrong === 'source[]=vast' // another parameter, which is ignored
        expect([wrong, answer.status]).toEqual([wrong, isOther ? 200 : 400])
        if (!isOther)
          expect(answer.body).toMatchObject({
            error: 'invalid_args',
            msg: expect.stringMatching(/^source must/),
          })
      }
      expect((await server.get('/api/v0/metrics/gpu/names?source=vast', 'rr_none')).status).toBe(401)
      if (!databases.adHoc) return
      const { database } = market.clickhouseAddress
      const parts = `SELECT 'exporter' AS market, * FROM observations UNION ALL SELECT 'vast', * FROM ${database}.observations`
      const query = `SELECT market, count() AS rows FROM (${parts}) GROUP BY market ORDER BY market`
      const answer = await server.send('POST', '/api/v0/metrics/sql', server.adminKey, { query })
      const rows = [0, 1, 2].map((step) => expectedRows(rigsAt(40, step)).length)
      const others = [0, 2].map((step) => expectedRows(dear(60, step)).length)
      const sum = (counts: number[]) => counts.reduce((all, count) => all + count, 0)
      expect(answer.body).toMatchObject({
        data: [
          { market: 'exporter', rows: sum(rows) },
          { market: 'vast', rows: sum(others) },
        ],
      })
      // A view of the other market reads that market, too.
      const range = `from = ${first}, to = ${slotAt(3)}`
      const machines = `SELECT sum(total) AS machines FROM ${database}.slot_rows(${range}) WHERE verified = 'all' AND hosting_type = 'all' AND num_gpus = 0`
      const view = await server.send('POST', '/api/v0/metrics/sql', server.adminKey, { query: machines })
      expect(view.body).toMatchObject({ data: [{ machines: 120 }] })
      const schema = (await server.get('/api/v0/metrics/sql/schema')).body as { tables: { name: string }[] }
      expect(schema.tables.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['observations', `${database}.observations`]),
      )
    } finally {
      await server.app.close()
    }
  })

  it.runIf(hasBrowser)(
    'are chosen in the header of the page',
    async () => {
      await takeBoth(0)
      await loadAll(databases)
      await loadAll(market)
      const web = await openWeb({ empty: true, databases, markets: [market] })
      try {
        const page = await web.visit('/', { key: web.adminKey })
        const gpus = async () => {
          const cells = await page.locator('tbody tr td:last-child').allInnerTexts()
          return cells.reduce((sum, text) => sum + Number(text), 0)
        }
        const verified = (count: number) =>
          rigsAt(count).reduce((sum, rig) => sum + (rig.verified ? rig.gpus : 0), 0)
        await vi.waitFor(async () => expect(await gpus()).toBe(verified(40)), { timeout: 90_000 })
        await page.getByLabel('Source of the market').selectOption('vast')
        await page.waitForURL(/source=vast/)
        await vi.waitFor(async () => expect(await gpus()).toBe(verified(60)), { timeout: 90_000 })
        expect(await violationsOf(page)).toEqual([])
        await web.look(page, 'sources')
        await page.getByRole('link', { name: 'Charts' }).click()
        await page.waitForURL(/charts\?.*source=vast/)
        await page.getByRole('link', { name: 'SQL' }).click()
        await page.getByRole('tab', { name: 'Examples' }).click()
        await page.getByRole('button', { name: /^Sources side by side/ }).click()
        expect(await page.locator('.cm-content').innerText()).toContain(
          `FROM ${market.clickhouseAddress.database}.observations`,
        )
        expect(await page.getByLabel('Source of the market').count()).toBe(0)
      } finally {
        await web.browser.close()
        await web.app.close()
      }
    },
    180_000,
  )

  it('both have each slot once, however often the worker is killed', async () => {
    const slots = Array.from({ length: 6 }, (_, index) => index)
    for (const index of slots) await takeBoth(index)
    const env = {
      ...environmentOf(databases.queues, databases.clickhouseAddress),
      SNAPSHOT_INTERVAL: '86400',
      SOURCES: `exporter=${standIn.url}\nvast=${other.url}`,
    }
    const done = async () => [(await slotsOf(databases)).length, (await slotsOf(market)).length]
    for (const least of [1, 4, 7]) {
      const worker = spawnRackrate(['worker'], env)
      try {
        await vi.waitFor(
          async () => {
            const [one = 0, two = 0] = await done()
            expect(one + two, worker.output()).toBeGreaterThanOrEqual(least)
          },
          { timeout: 120_000, interval: 20 },
        )
      } finally {
        worker.kill('SIGKILL')
        await exited(worker)
      }
    }
    await loadAll(databases)
    await loadAll(market)
    // The slot of today may have been taken, too.
    expect((await slotsOf(databases)).filter((index) => index <= 5)).toEqual(slots)
    expect((await slotsOf(market)).filter((index) => index <= 5)).toEqual(slots)
    await isWhole(databases)
    await isWhole(market)
  })

  it('keep their order and their names', async () => {
    const { postgres } = databases
    await expect(registerSources(postgres, ['vast', 'exporter'])).rejects.toThrow(
      'Give the sources in the same order',
    )
    await registerSources(postgres, ['mine', 'vast'])
    await registerSources(postgres, ['mine'])
    expect(await listSources(postgres)).toEqual([
      { name: 'mine', is_first: true, is_collected: true },
      { name: 'vast', is_first: false, is_collected: false },
    ])
    await expect(keepToSource(market.postgres, sourceOf('exporter'))).rejects.toThrow(
      'a market has one source',
    )
  })
})

it('`rackrate up` with a source shows its market at once, not at the next slot', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'rackrate-collect-'))
  standIn.rigs = rigsAt(60)
  standIn.time = Math.floor(Date.now() / 1000)
  const env = {
    RACKRATE_DATA_DIR: dir,
    PORT: '0',
    ENCRYPTION_KEY: testKey.toString('hex'),
    LOG_LEVEL: 'warn',
    SHUTDOWN_TIMEOUT: '60', // a busy machine takes its time
    SNAPSHOT_INTERVAL: '86400',
  }
  const run = async (...args: string[]) => {
    const child = spawnRackrate(args, env)
    return { code: await exited(child), output: child.output() }
  }
  const other = await openStandIn()
  other.rigs = rigsAt(30)
  const sources = ['--source', `exporter=${standIn.url}`, '--source', `second:vast=${other.url}`]
  const up = spawnRackrate(['up', '--no-demo', '--json', ...sources], env)
  try {
    const { url } = await vi.waitFor(
      () => JSON.parse(/^\{"url".*$/m.exec(up.output())?.[0] ?? '') as { url: string },
      { timeout: 60_000, interval: 100 },
    )
    const { output } = await run('key', 'create', '--role', 'admin', '--json')
    const { key } = JSON.parse(output) as { key: string }
    const headers = { authorization: `Bearer ${key}` }
    const gpus = await vi.waitFor(
      async () => {
        const answer = await fetch(`${url}/api/v0/metrics/gpu/current?verified=all`, { headers })
        const { gpus } = (await answer.json()) as { gpus: { gpu_name: string; total_gpus: number }[] }
        expect(gpus).toHaveLength(3)
        return gpus
      },
      { timeout: 60_000, interval: 500 },
    )
    const total = rigsAt(60).reduce((sum, rig) => sum + rig.gpus, 0)
    expect(gpus.reduce((sum, row) => sum + row.total_gpus, 0)).toBe(total)
    expect(standIn.requests).toHaveLength(1)

    const expectReady = (state: object) =>
      vi.waitFor(async () => expect(await (await fetch(`${url}/readyz`)).json()).toMatchObject(state), {
        timeout: 60_000,
        interval: 1100,
      })
    await expectReady({ status: 'ok', source: { failures: 0, problem: null } })
    const totalOf = async (source: string) => {
      const answer = await fetch(`${url}/api/v0/metrics/gpu/current?verified=all&source=${source}`, {
        headers,
      })
      const { gpus } = (await answer.json()) as { gpus: { total_gpus: number }[] }
      return gpus.reduce((sum, row) => sum + row.total_gpus, 0)
    }
    const second = rigsAt(30).reduce((sum, rig) => sum + rig.gpus, 0)
    await vi.waitFor(async () => expect(await totalOf('second')).toBe(second), {
      timeout: 60_000,
      interval: 500,
    })
    await expectReady({ sources: { second: { status: 'ok' } } })
    expect(await (await fetch(`${url}/metrics`)).text()).toMatch(
      /^rackrate_spooled_slots\{source="second"\} 0$/m,
    )

    // A backup has all markets, and they come back.
    const backup = await run('backup', 'both', '--json')
    expect(JSON.parse(backup.output)).toMatchObject({ name: 'both', others: [{ name: 'second-both' }] })
    const { clickhouse: address } = JSON.parse(readFileSync(join(dir, 'engines.json'), 'utf8'))
    await throughDefault(address, async (client) => {
      for (const name of ['rackrate', 'rackrate_second'])
        await execute(client, 'DROP DATABASE {name:Identifier} SYNC', { name })
    })
    expect(await run('restore', 'both')).toMatchObject({ code: 0 })
    expect([await totalOf('exporter'), await totalOf('second')]).toEqual([total, second])
    for (const name of ['exporter', 'second'])
      expect(await run('check', '--source', name)).toMatchObject({ code: 0 })
    expect(await run('check', '--source', 'third')).toMatchObject({
      code: 2,
      output: expect.stringContaining('Its sources: exporter, second'),
    })
    const again = await run('collect', '--source', `exporter=${standIn.url}`)
    expect(again).toMatchObject({ code: 0, output: expect.stringContaining('already') })
    expect(await run('snapshot')).toMatchObject({
      code: 2,
      output: expect.stringContaining('This site records'),
    })
    expect(await run('collect', '--source', 'exporter=http://127.0.0.1:1')).toMatchObject({
      code: 2,
      output: expect.stringContaining('a market has one source'),
    })

    standIn.fault = (response) => response.writeHead(500).end()
    const failed = await run('collect', '--accept', '--source', `exporter=${standIn.url}`)
    expect(failed.code).toBe(0) // this slot is there already
    const checked = await run('check', '--json')
    expect(JSON.parse(checked.output)).toMatchObject({ ok: true, source: { failures: 0 } })
  } finally {
    up.kill('SIGTERM')
    await exited(up)
    other.close()
    rmSync(dir, { recursive: true, force: true })
  }
  // Without its source the site does not start to record something else.
  expect(up.exitCode).toBe(0)
})
