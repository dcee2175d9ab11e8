import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PriceIndex } from '../../contract/price-index.ts'
import { check, seriesRange } from '../../ingest/check.ts'
import { rebuildSeries } from '../../ingest/pending-rollups.ts'
import { publishDays } from '../../ingest/publish-days.ts'
import { type ClickHouse, selectRows } from '../../platform/stores/clickhouse.ts'
import { createKeyFor } from '../../src/companion/keys/key-for-role.ts'
import { addSeen, dailyMarket, day } from '../daily-market.ts'
import type { MachineAtSlot } from '../oracle/history.ts'
import { expectedIndex, hashOf } from '../oracle/price-index.ts'
import { startServer, type TestServer } from '../server.ts'

const start = 1_699_920_000
const near = (values: readonly (number | null)[]) =>
  values.map((value) => (value === null ? null : expect.closeTo(value, 9)))

let server: TestServer
beforeAll(async () => {
  server = await startServer({ seriesMaxAgeMs: 0 })
})
afterAll(() => server?.close())

interface Answer {
  market: PriceIndex | null
  gpus: Record<string, PriceIndex>
}

const ask = async (query: string, from = server) => {
  const { status, body } = await from.get(`/api/v0/metrics/gpu/index?${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body as Answer
}

async function expectIndex(seen: readonly MachineAtSlot[]) {
  const range = `start=0&end=${start + 400 * day}`
  const { gpus } = await ask(`gpu_name=all&${range}`)
  const { market } = await ask(`market=true&${range}`)
  for (const [gpu, found] of [...Object.entries(gpus), [undefined, market] as const]) {
    const expected = expectedIndex(seen, gpu)
    expect(found, gpu).toMatchObject({
      ...expected,
      level: near(expected.level),
      drift: near(expected.drift),
      ln_link: near(expected.ln_link),
      matched_share: near(expected.matched_share),
      edition: expect.anything(),
      revisions: expect.anything(),
    })
  }
}

const stored = () =>
  selectRows<Parameters<typeof hashOf>[0] & { hash: string; edition: number }>(
    server.clickhouse,
    'SELECT * FROM price_index FINAL ORDER BY day, gpu_name, edition',
  )

describe('a market of five weeks', () => {
  const seen = dailyMarket({ seed: 3, start, days: 39, machines: 90, holes: [34, 35] })
  const later = seen.filter(({ slot }) => slot >= start + 3 * day)
  const earlier = seen.filter(({ slot }) => slot < start + 3 * day)

  it('every field equals the plain definition', async () => {
    await addSeen(server, later, 'later')
    expect(await publishDays(server)).toBe(34)
    await expectIndex(later)
    const { market } = await ask(`market=true&start=0&end=${start + 400 * day}`)
    expect(market?.drift.filter((value) => value !== null).length).toBeGreaterThan(0)
    expect(market?.level.filter((value) => value === null)).toHaveLength(2)
  })

  it('the hash is computed as documented', async () => {
    for (const row of await stored()) expect(row.hash).toBe(hashOf(row))
  })

  it('a second look, and a rebuild, publish nothing', async () => {
    const before = await stored()
    expect(await publishDays(server)).toBe(0)
    await rebuildSeries(server, { from: start + 8 * day, to: start + 12 * day })
    expect(await publishDays(server)).toBe(0)
    expect(await stored()).toEqual(before)
  })

  it('data that come later make further editions, with a reason, and the first ones stay', async () => {
    const before = await stored()
    await addSeen(server, earlier, 'earlier')
    await publishDays(server)
    await expectIndex(seen)
    const after = await stored()
    for (const row of before) expect(after).toContainEqual(row)
    const { gpus } = await ask(`gpu_name=all&start=0&end=${start + 400 * day}`)
    const revised = gpus['RTX 4090']?.revisions.filter(({ timestamp }) => timestamp === start + 3 * day)
    expect(revised).toMatchObject([
      { edition: 1, reason: 'first publication', ln_link: null },
      { edition: 2, reason: 'the data of the day before changed', ln_link: expect.any(Number) },
    ])
    expect(await check(server, await seriesRange(server.clickhouse))).toMatchObject({ problems: [] })
  })
})

describe('a market whose prices rise by a known factor while its mix moves to dear GPUs', () => {
  it('the index recovers 102 104 106 108 110', async () => {
    const known = await startServer({ seriesMaxAgeMs: 0 })
    const seen: MachineAtSlot[] = []
    for (let index = 0; index < 6; index += 1)
      for (let machine = 1; machine <= 240; machine += 1) {
        const isDear = machine % 3 === 0
        // Dear machines come to the market day by day, cheap ones leave it.
        const isThere = isDear ? machine <= 60 + 36 * index : machine > 20 * index
        const price =
          Math.round((isDear ? 2400 : 400) * (0.7 + (machine % 60) / 100) * (1 + 0.02 * index)) / 1000
        if (!isThere) continue
        seen.push({
          slot: start + index * day + 3600,
          machine,
          gpu: isDear ? 'H100 SXM' : 'RTX 4090',
          rig: 2,
          free: 2,
          price,
          rented: [],
          verified: true,
          hosting: 'community',
          tflops: 1,
          dlperf: 1,
        })
      }
    await addSeen(known, seen)
    await publishDays(known)
    const { market } = await ask(`market=true&start=0&end=${start + 10 * day}`, known)
    await known.close()
    expect(market?.level).toEqual([
      null,
      ...[102, 104, 106, 108, 110].map((level) => expect.closeTo(level, 1)),
    ])
    expect(market?.base.slice(1)).toEqual(new Array(5).fill(start))
  })
})

it('a process that ends before it has written a day: the next look publishes the day once', async () => {
  const crashing = await startServer({ seriesMaxAgeMs: 0 })
  let from = start
  for (const table of ['published_days', 'price_index']) {
    await addSeen(crashing, dailyMarket({ seed: 5, start: from, days: 2, machines: 40 }), table)
    from += 2 * day
    const clickhouse: ClickHouse = Object.create(crashing.clickhouse)
    const command: ClickHouse['command'] = async (request) => {
      if (request.query.includes(`INSERT INTO ${table}`)) throw new Error('crashed')
      return crashing.clickhouse.command(request)
    }
    const stores = { ...crashing, clickhouse: Object.assign(clickhouse, { command }) }
    await expect(publishDays(stores)).rejects.toThrow('crashed')
    expect(await publishDays(crashing)).toBe(2)
  }
  const editions = await selectRows<{ rows: number; newest: number; days: number }>(
    crashing.clickhouse,
    'SELECT count() AS rows, max(edition) AS newest, uniqExact(day) AS days FROM price_index WHERE gpu_name = {market:String}',
    { market: '' },
  )
  const wrong = await check(crashing, await seriesRange(crashing.clickhouse))
  await crashing.close()
  expect(editions).toEqual([{ rows: 4, newest: 1, days: 4 }])
  expect(wrong).toMatchObject({ problems: [] })
})

describe('input', () => {
  it.each([
    ['market=yes', "market must be 'true' or 'false'"],
    ['start=2000&end=1000', 'start must be <= end'],
    ['start=x', 'start, end, and step must be integers'],
    ['gpu_name=', 'gpu_name is required'],
  ])('%s is 400', async (query, msg) => {
    expect(await server.get(`/api/v0/metrics/gpu/index?${query}`)).toMatchObject({
      status: 400,
      body: { msg },
    })
  })

  it('an unknown name is empty, and a host without machines gets a marked answer', async () => {
    expect((await ask('gpu_name=RTX_9999')).gpus['RTX 9999']).toMatchObject({ timestamps: [], level: [] })
    const { key } = await createKeyFor(server.postgres, { role: 'host' })
    const { body } = await server.get('/api/v0/metrics/gpu/index', key)
    expect(body).toEqual({ success: true, needs_machine: true, market: null, gpus: {} })
  })
})
