import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { loadAll } from '../../ingest/load.ts'
import { inTime, timesAsOften } from '../in-time.ts'
import { expectedHistory, type MachineAtSlot } from '../oracle/history.ts'
import {
  expectedAvailability,
  expectedCurrent,
  expectedDepth,
  expectedMeanDepth,
  expectedPrices,
  expectedRevenue,
  expectedThin,
  type Filter,
  slotsOfBook,
} from '../oracle/market.ts'
import { gpuNames, market, seenOf, spool } from '../random-market.ts'
import { startServer, type TestServer } from '../server.ts'

const question = fc.record({
  gpu: fc.constantFrom(...gpuNames),
  verified: fc.constantFrom('yes' as const, 'no' as const, 'all' as const),
  hosting: fc.constantFrom('all' as const, 'secure_cloud' as const, 'community' as const),
  rig: fc.constantFrom('all' as const, 1, 2, 8),
  memory: fc.constantFrom('all' as const, 'all' as const, 24, 80, 40),
  step: fc.constantFrom(300, 3600, 5400, 7200, 10_800, 86_400),
  start: fc.integer({ min: -5000, max: 65_000 }),
  // Whole days as well.
  length: fc.oneof(fc.integer({ min: 0, max: 70_000 }), fc.integer({ min: 80_000, max: 200_000 })),
  days: fc.integer({ min: 1, max: 10 }),
  gpus: fc.integer({ min: 1, max: 20 }),
  perMachine: fc.integer({ min: 1, max: 8 }),
  bins: fc.integer({ min: 1, max: 30 }),
  price: fc.integer({ min: 0, max: 45 }).map((n) => n / 100),
})
type Question = typeof question extends fc.Arbitrary<infer T> ? T : never

let server: TestServer
/** Tests of the figures of `runs` random markets, whose slots land in any order. */
export function marketProperty(runs: number): void {
  beforeAll(async () => {
    server = await startServer({ snapshotInterval: 300, seriesMaxAgeMs: 0 })
  })
  afterAll(() => server?.close())

  it('every field of the figures of a market equals the plain definition', async () => {
    let at = 1_700_000_000 - (1_700_000_000 % 604_800)
    // All observations so far: figures of the newest slot depend on earlier markets.
    const known: MachineAtSlot[] = []
    const knownSlots: number[] = []
    await fc.assert(
      fc.asyncProperty(
        market,
        fc.array(question, { minLength: 12, maxLength: 12 }),
        inTime(100_000, async (random, questions) => {
          at += 604_800
          const { seen, slots } = seenOf(random, at)
          for (const slot of slots) {
            await spool(
              server.postgres,
              slot,
              seen.filter((one) => one.slot === slot),
            )
            await loadAll(server)
          }
          known.push(...seen)
          knownSlots.push(...slots)
          for (const asked of questions) {
            await compareRevenue(at, asked, seen, slots)
            await compareThin(at, asked, seen, slots)
            await compareDepth(at, asked, known, knownSlots)
            await comparePrices(at, asked, seen, slots)
            await compareAvailability(at, asked, seen, slots)
            await compareCurrent(asked, known, knownSlots)
          }
        }),
      ),
      {
        numRuns: timesAsOften(runs),
        endOnFailure: true,
      },
    )
  })
}

const filterOf = ({ gpu, verified, hosting, rig, memory = 'all' }: Filter) => ({
  gpu_name: gpu,
  verified,
  hosting_type: hosting,
  num_gpus: `${rig}`,
  gpu_memory: `${memory}`,
})

async function answer(name: string, parameters: Record<string, string | number>) {
  const query = new URLSearchParams(
    Object.entries(parameters).map(([key, value]): [string, string] => [key, `${value}`]),
  )
  const { status, headers, body } = await server.get(`/api/v0/metrics/gpu/${name}?${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return { headers, body: body as Record<string, unknown> & { gpus: Record<string, unknown> } }
}

/** Sums of decimals are divided once, so answers are equal except in the last digit. */
const near = (value: unknown): unknown => {
  if (typeof value === 'number') return expect.closeTo(value, 9)
  if (Array.isArray(value)) return value.map(near)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, near(inner)]))
}

async function compareRevenue(at: number, asked: Question, seen: MachineAtSlot[], slots: number[]) {
  const [start, end, step] = [at + asked.start, at + asked.start + asked.length, asked.step]
  const { headers, body } = await answer('revenue', { ...filterOf(asked), start, end, step })
  const whole = Math.ceil(step / 3600) * 3600
  expect(Number(headers['rackrate-step'])).toBe(whole)
  const expected = expectedRevenue(seen, slots, { ...asked, start, end, step: whole })
  expect(body.gpus[asked.gpu], JSON.stringify(asked)).toEqual(near(expected))
  const { revpag, adr, occupancy } = expected
  for (const [index, value] of revpag.entries())
    if (value) expect((adr[index] ?? 0) * (occupancy[index] ?? 0)).toBeCloseTo(value, 9)
}

async function compareThin(at: number, asked: Question, seen: MachineAtSlot[], slots: number[]) {
  const [start, end, step] = [at + asked.start, at + asked.start + asked.length, asked.step]
  const { headers, body } = await answer('thin', { ...filterOf(asked), start, end, step })
  expect(Number(headers['rackrate-step'])).toBe(step)
  const { timestamps } = expectedHistory(seen, slots, { ...asked, start, end }).pricing
  const marks = (isRented: boolean) =>
    timestamps.map((bucket) => {
      const within = slots.filter((slot) => slot >= bucket && slot < bucket + step)
      return expectedThin(seen, asked, within, isRented)
    })
  const found = body.gpus[asked.gpu] as { timestamps: number[] }
  // A name that the market had only outside the range has points as well, with null.
  if (timestamps.length > 0)
    expect(found, JSON.stringify(asked)).toEqual({
      timestamps,
      rented_thin: marks(true),
      avail_thin: marks(false),
    })
}

async function compareDepth(at: number, asked: Question, seen: MachineAtSlot[], slots: number[]) {
  const time = at + asked.start
  const { gpus, perMachine: per_machine } = asked
  const { body } = await answer('depth', { ...filterOf(asked), at: time, gpus, per_machine })
  const slot = slots
    .filter((one) => one <= time)
    .sort((a, b) => a - b)
    .at(-1)
  expect(body.slot).toBe(slot ?? null)
  const options = { wanted: gpus, perMachine: per_machine }
  expect(body.gpus[asked.gpu], JSON.stringify(asked)).toEqual(near(expectedDepth(seen, slot, asked, options)))
  const { days } = asked
  const mean = await answer('depth', { ...filterOf(asked), at: time, days })
  expect(mean.body.slot).toBe(slot ?? null)
  const within = slot === undefined ? [] : slotsOfBook(slots, slot, days)
  expect(mean.body.gpus[asked.gpu], JSON.stringify(asked)).toEqual(
    near(expectedMeanDepth(seen, within, asked)),
  )
}

async function compareCurrent(asked: Question, seen: MachineAtSlot[], slots: number[]) {
  const { gpu_name: _, ...filter } = filterOf(asked)
  const { body } = await answer('current', filter)
  expect(body.slot).toBe(Math.max(...slots))
  const expected = gpuNames
    .flatMap((gpu) => expectedCurrent(seen, slots, { ...asked, gpu }) ?? [])
    .sort((a, b) => b.total_gpus - a.total_gpus || (a.gpu_name < b.gpu_name ? -1 : 1))
  expect(body.gpus, JSON.stringify(filter)).toEqual(near(expected))
}

async function comparePrices(at: number, asked: Question, seen: MachineAtSlot[], slots: number[]) {
  const { bins } = asked
  const [start, end, step] = [at + asked.start, at + asked.start + asked.length, asked.step]
  const { headers, body } = await answer('prices', { ...filterOf(asked), start, end, step, bins })
  const whole = Math.ceil(step / 3600) * 3600
  expect(Number(headers['rackrate-step'])).toBe(whole)
  const found = body.gpus[asked.gpu] as { edges: number[] }
  expect(found.edges.length - 1).toBeLessThanOrEqual(bins)
  const expected = expectedPrices(seen, slots, { ...asked, start, end, step: whole }, found.edges)
  expect(found, JSON.stringify(asked)).toEqual(near(expected))
}

async function compareAvailability(at: number, asked: Question, seen: MachineAtSlot[], slots: number[]) {
  const { gpus, price } = asked
  const [start, end] = [at + asked.start, at + asked.start + asked.length]
  const { body } = await answer('availability', { ...filterOf(asked), start, end, gpus, price })
  const expected = expectedAvailability(seen, slots, { ...asked, start, end, step: 3600 }, { gpus, price })
  expect(body.gpus[asked.gpu], JSON.stringify(asked)).toEqual(expected)
  const alone = await answer('availability', { ...filterOf(asked), start, end, gpus, price, duration: 'no' })
  expect(alone.body.gpus[asked.gpu], JSON.stringify(asked)).toEqual({ ...expected, duration: [] })
}
