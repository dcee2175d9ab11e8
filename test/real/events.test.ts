import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MarketEvent } from '../../contract/events.ts'
import { encodeToken } from '../../contract/search.ts'
import { seeded } from '../../simulate/random.ts'
import { addSeen, day } from '../daily-market.ts'
import { expectedDispersion, expectedEvents } from '../oracle/events.ts'
import type { MachineAtSlot } from '../oracle/history.ts'
import { startServer, type TestServer } from '../server.ts'

const start = 1_699_920_000
const [interval, days] = [3600, 100]
const gpuNames = ['RTX 4090', 'H100 SXM']

/** Two GPU names in half-hourly slots, with jumps, lows, machines that leave at once, and a gap of some hours. */
function eventfulMarket(): MachineAtSlot[] {
  const random = seeded(11)
  const seen: MachineAtSlot[] = []
  const level = new Map(gpuNames.map((name) => [name, 1]))
  const away = new Map(gpuNames.map((name) => [name, 0]))
  for (let slot = start; slot < start + days * day; slot += interval) {
    for (const gpu of gpuNames) {
      const jump = random() < 0.0015 ? (random() < 0.5 ? 0.4 : 2.5) : 1
      const fall = slot > start + 92 * day ? 0.999 : 1
      level.set(gpu, (level.get(gpu) ?? 1) * jump * fall * (0.998 + 0.0039 * random()))
      const hidden = (away.get(gpu) ?? 0) - 1
      away.set(gpu, random() < 0.005 ? 6 : hidden)
    }
    if (slot > start + 50 * day && slot < start + 50 * day + 6 * 3600) continue
    const isFull = random() < 0.01
    for (let machine = 0; machine < 12; machine += 1) {
      const gpu = gpuNames[machine % 2] ?? ''
      if ((away.get(gpu) ?? 0) > 0 && machine < 8) continue
      const price = Math.round(1000 * (level.get(gpu) ?? 1) * (0.8 + machine / 30)) / 1000
      const taken = isFull ? 4 : Math.floor(random() * 4)
      seen.push({
        slot,
        machine: machine + 1,
        gpu,
        rig: 4,
        free: 4 - taken,
        price,
        verified: true,
        hosting: 'community',
        tflops: 1,
        dlperf: 1,
        rented: taken > 0 ? [{ gpus: taken, price: 0.5 }] : [],
      })
    }
  }
  return seen
}

const seen = eventfulMarket()
let server: TestServer
beforeAll(async () => {
  server = await startServer({ seriesMaxAgeMs: 0, snapshotInterval: interval })
  await addSeen(server, seen)
})
afterAll(() => server?.close())

const ask = async (query: string) => {
  const { status, body } = await server.get(`/api/v0/metrics/gpu/${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body as { events: MarketEvent[]; next_token: string | null; gpus: Record<string, unknown> }
}

/** The events of each page of a list. */
async function readPages(query: string): Promise<MarketEvent[][]> {
  const pages: MarketEvent[][] = []
  let token: string | null = ''
  while (token !== null && pages.length < 1000) {
    const { events, next_token } = await ask(`${query}${token && `&after_token=${token}`}`)
    pages.push(events)
    token = next_token
  }
  return pages
}

const near = (value: unknown): unknown => (typeof value === 'number' ? expect.closeTo(value, 9) : value)
const nearAll = (values: readonly unknown[]) => values.map(near)

describe('events', () => {
  it('equal the plain definition, in any range', async () => {
    const byTime = (a: MarketEvent, b: MarketEvent) =>
      b.at - a.at || (`${a.gpu_name} ${a.kind}` < `${b.gpu_name} ${b.kind}` ? -1 : 1)
    const all = gpuNames
      .flatMap((gpu) =>
        expectedEvents(seen, { gpu, from: start, to: start + days * day, interval }).map(
          (event): MarketEvent => ({ ...event, gpu_name: gpu }),
        ),
      )
      .sort(byTime)
    const kinds = new Set(all.map(({ kind }) => kind))
    expect([...kinds].sort()).toEqual(['high_occupancy', 'low_90d', 'price_jump', 'supply_drop'])
    const ranges = [
      [0, days],
      [90, 97],
      [49.9, 50.4],
      [94, 94.5],
    ].map(([first = 0, last = 0]) => [start + first * day, start + last * day])
    // The range of a single slot, as alerts request it.
    const jumps = all.filter(({ kind }) => kind === 'price_jump').slice(0, 3)
    for (const [from = 0, to = 0] of [...ranges, ...jumps.map(({ at }) => [at, at + interval])]) {
      const { events } = await ask(`events?gpu_name=all&verified=all&start=${from}&end=${to}`)
      const expected = all.filter(({ at }) => at >= from && at < to)
      expect(events.map(({ at, gpu_name, kind }) => `${at} ${gpu_name} ${kind}`)).toEqual(
        expected.map(({ at, gpu_name, kind }) => `${at} ${gpu_name} ${kind}`),
      )
      for (const [index, event] of events.entries())
        expect(Object.values(event)).toEqual(
          nearAll(Object.keys(event).map((key) => expected[index]?.[key as keyof MarketEvent])),
        )
    }
  })

  it('pages list each event of an unlimited answer once, in order, also events of one time', async () => {
    // Two names of one market have events of the same kinds at the same times.
    const range = `gpu_name=all&verified=all&start=${start}&end=${start + days * day}`
    const { events: all, next_token } = await ask(`events?${range}`)
    expect(next_token).toBeNull()
    for (const limit of [5, 24]) {
      const pages = await readPages(`events?${range}&limit=${limit}`)
      expect(pages.flat()).toEqual(all)
      expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true)
      const ends = pages.slice(1).map((page, index) => [pages[index]?.at(-1), page[0]])
      const together = ends.filter(([last, first]) => last?.at === first?.at)
      expect(together.some(([last, first]) => last?.gpu_name !== first?.gpu_name)).toBe(true)
    }
    const narrow = await readPages(`events?${range.replace('all&v', 'H100_SXM&v')}&limit=5`)
    expect(narrow.flat()).toEqual(all.filter(({ gpu_name }) => gpu_name === 'H100 SXM'))
  })

  it.each([
    ['after_token=none', 'after_token must be the next_token of an answer'],
    [
      `after_token=${encodeToken([1, 'RTX 4090', 'holiday'])}`,
      'after_token must be the next_token of an answer',
    ],
    ['limit=few', 'limit must be an integer'],
  ])('%s is refused, and the message names the expected form', async (parameter, message) => {
    const { status, body } = await server.get(`/api/v0/metrics/gpu/events?${parameter}`)
    expect([status, (body as { msg: string }).msg]).toEqual([400, message])
  })

  it('a range with too much data is 400, and one without any is empty', async () => {
    expect((await ask('events?gpu_name=RTX_9999')).events).toEqual([])
    expect((await ask('events?start=1000&end=2000')).events).toEqual([])
    expect((await ask('events?start=0&end=4102444800')).events).toBeDefined()
  })
})

describe('dispersion', () => {
  it.each([
    [3600, 47, 54],
    [10_800, 98, 100],
    [86_400, 0, 100],
  ])('every field at step %s equals the plain definition', async (step, first, last) => {
    const [from, to] = [start + first * day, start + last * day]
    const { gpus } = await ask(`dispersion?gpu_name=all&verified=all&start=${from}&end=${to}&step=${step}`)
    for (const gpu of gpuNames) {
      const expected = expectedDispersion(seen, { gpu, from, to, step })
      expect(gpus[gpu]).toEqual(
        Object.fromEntries(Object.entries(expected).map(([key, values]) => [key, nearAll(values)])),
      )
      expect(expected.volatility_24h.some((value) => value !== null)).toBe(true)
    }
  })
})
