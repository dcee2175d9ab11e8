import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fillAnswer } from '../../contract/fill.ts'
import { fillByTermsAnswer } from '../../contract/fill-by-terms.ts'
import { timeToRentAnswer } from '../../contract/time-to-rent.ts'
import { check, seriesRange } from '../../ingest/check.ts'
import { loadAll } from '../../ingest/load.ts'
import { rebuildSeries } from '../../ingest/pending-rollups.ts'
import { execute, selectRows } from '../../platform/stores/clickhouse.ts'
import { inTime, timesAsOften } from '../in-time.ts'
import {
  expectedFill,
  expectedFillByTerms,
  expectedFlows,
  expectedTimeToRent,
  type Flow,
} from '../oracle/flows.ts'
import type { MachineAtSlot } from '../oracle/history.ts'
import { gpuNames, interval, market, seenOf, spool } from '../random-market.ts'
import { startServer, type TestServer } from '../server.ts'

const week = 604_800
const start = 1_700_000_000 - (1_700_000_000 % week)

let server: TestServer
/** The rows of flows of a range, in the order of their keys. */
async function flowsOf({ from, to }: { from: number; to: number }): Promise<Flow[]> {
  const rows = await selectRows<Flow>(
    server.clickhouse,
    `SELECT * EXCEPT revision REPLACE (toUnixTimestamp(hour) AS hour, toFloat64(rental_value) AS rental_value,
       toFloat64(price_low) AS price_low, toFloat64(price_high) AS price_high)
     FROM flows FINAL WHERE hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC')`,
    { from, to },
  )
  return inOrder(rows)
}

const keyOf = ({ hour, gpu_name, num_gpus, verified, hosting_type, gpu_memory, tier, position }: Flow) =>
  [hour, gpu_name, num_gpus, verified, hosting_type, gpu_memory, tier, position].join()
const inOrder = (rows: Flow[]) => rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
/** Values are sums of floats in the oracle and of decimals in the product. */
const near = (rows: Flow[]) =>
  inOrder(rows).map((row) => ({ ...row, rental_value: expect.closeTo(row.rental_value, 9) }))

async function land(seen: MachineAtSlot[], slots: readonly number[]): Promise<void> {
  for (const slot of slots) {
    await spool(
      server.postgres,
      slot,
      seen.filter((one) => one.slot === slot),
    )
    await loadAll(server)
  }
}

/** The same order, with one to six intervals between two slots: half of them make a pair. */
function closer(order: readonly number[]): number[] {
  const places = new Map<number, number>()
  let place = 0
  for (const n of order.toSorted((a, b) => a - b)) {
    place += 1 + (n % 6)
    places.set(n, place)
  }
  return order.map((n) => places.get(n) ?? 0)
}

const seen = (slot: number, changes: Partial<MachineAtSlot> = {}): MachineAtSlot => ({
  slot,
  machine: 1,
  gpu: 'RTX 4090',
  rig: 4,
  verified: true,
  hosting: 'community' as const,
  free: 4,
  price: 0.4,
  rented: [],
  tflops: 80,
  dlperf: 90,
  ...changes,
})

const question = fc.record({
  gpu: fc.constantFrom(...gpuNames),
  verified: fc.constantFrom('yes' as const, 'no' as const, 'all' as const),
  hosting: fc.constantFrom('all' as const, 'secure_cloud' as const, 'community' as const),
  rig: fc.constantFrom('all' as const, 1, 2, 8),
  memory: fc.constantFrom('all' as const, 'all' as const, 24, 80, 40),
  start: fc.integer({ min: -5000, max: 20_000 }),
  length: fc.integer({ min: 0, max: 40_000 }),
})
type Question = typeof question extends fc.Arbitrary<infer T> ? T : never

/** Numbers are sums, so they are equal except for the last digit. */
const close = (value: unknown): unknown => {
  if (typeof value === 'number') return expect.closeTo(value, 9)
  if (Array.isArray(value)) return value.map(close)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, close(inner)]))
}

async function compareFill(
  at: number,
  asked: Question,
  { seen, slots }: { seen: MachineAtSlot[]; slots: number[] },
) {
  const { gpu, verified, hosting, rig, memory, length } = asked
  const start = at + asked.start
  const query = new URLSearchParams({
    gpu_name: gpu,
    verified,
    hosting_type: hosting,
    num_gpus: `${rig}`,
    gpu_memory: `${memory}`,
    start: `${start}`,
    end: `${start + length}`,
  })
  const { status, body } = await server.get(`/api/v0/metrics/gpu/fill?${query}`)
  expect(status).toBe(200)
  expect(fillAnswer.strict().parse(body)).toEqual(body)
  const found = (body as { gpus: Record<string, { from: number; to: number }> }).gpus[gpu]
  // The range in whole hours, cut to the series.
  const range = { from: found?.from ?? 0, to: found?.to ?? 0 }
  const inRange = (slot: number) =>
    slot >= Math.floor(start / 3600) * 3600 && slot < Math.ceil((start + length) / 3600) * 3600
  expect(slots.filter((slot) => slot >= range.from && slot < range.to)).toEqual(slots.filter(inRange))
  const expected = expectedFill(expectedFlows(seen, slots, interval), slots, { ...asked, ...range })
  expect(found, JSON.stringify(asked)).toEqual(close(expected))

  const byTerms = await server.get(`/api/v0/metrics/gpu/fill-by-terms?${query}`)
  expect(byTerms.status).toBe(200)
  expect(fillByTermsAnswer.strict().parse(byTerms.body)).toEqual(byTerms.body)
  const groups = (byTerms.body as { gpus: Record<string, unknown> }).gpus[gpu]
  expect(groups, JSON.stringify(asked)).toEqual(
    close(expectedFillByTerms(seen, slots, { ...asked, ...range, interval })),
  )

  const waits = await server.get(`/api/v0/metrics/gpu/time-to-rent?${query}`)
  expect(waits.status).toBe(200)
  expect(timeToRentAnswer.strict().parse(waits.body)).toEqual(waits.body)
  const wait = (waits.body as { gpus: Record<string, unknown> }).gpus[gpu]
  const expectedWait = expectedTimeToRent(seen, slots, { ...asked, ...range, interval })
  expect(wait, JSON.stringify(asked)).toEqual(close(expectedWait))
}

/** Tests of the flows of `runs` random markets, and of some that were written by hand. */
export function flowsProperty(runs: number): void {
  beforeAll(async () => {
    server = await startServer({ snapshotInterval: interval, seriesMaxAgeMs: 0 })
  })
  afterAll(() => server?.close())

  it('flows equal the plain definition for any order of slots, also when computed again', async () => {
    let at = start
    await fc.assert(
      fc.asyncProperty(
        market,
        fc.array(question, { minLength: 6, maxLength: 6 }),
        inTime(100_000, async (random, asked) => {
          at += week
          const { seen, slots } = seenOf({ ...random, order: closer(random.order) }, at)
          await land(seen, slots)
          const range = { from: at, to: at + week }
          const expected = near(expectedFlows(seen, slots, interval))
          expect(await flowsOf(range)).toEqual(expected)
          await rebuildSeries(server, range)
          expect(await flowsOf(range)).toEqual(expected)
          for (const one of asked) await compareFill(at, one, { seen, slots })
        }),
      ),
      {
        numRuns: timesAsOften(runs),
        endOnFailure: true,
      },
    )
  })

  it('flows make a machine with another name or rig size a new one, and bridge no gap', async () => {
    const at = start - 10 * week
    const rented = [{ gpus: 4, price: 0.3 }]
    const slots = [0, 1, 2, 6].map((n) => at + n * interval)
    const [first = 0, second = 0, third = 0, afterGap = 0] = slots
    const all = [
      seen(first),
      // It counts as another machine: the free GPUs are withdrawn, and none were rented.
      seen(second, { gpu: 'RTX 5090', free: 0, rented }),
      seen(third, { gpu: 'RTX 5090', rig: 2, free: 2 }),
      seen(afterGap, { gpu: 'RTX 5090', rig: 2, free: 0, rented: [{ gpus: 2, price: 0.3 }] }),
    ]
    await land(all, slots)
    const found = await flowsOf({ from: at, to: at + 3600 })
    expect(found).toEqual(near(expectedFlows(all, slots, interval)))
    expect(found).toMatchObject([
      { gpu_name: 'RTX 4090', position: 0, rentals: 0, withdrawn: 4, returns: 0 },
      { gpu_name: 'RTX 5090', position: 10, rentals: 0, held: 4 * interval, returns: 4 },
    ])
  })

  it('flows have the dearest tenth of the free GPUs in a position of its own', async () => {
    const at = start - 13 * week
    const slots = [at, at + interval]
    const all = slots.flatMap((slot) =>
      [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1].map((price, machine) =>
        seen(slot, { machine, free: 2, price, rented: [] }),
      ),
    )
    await land(all, slots)
    const found = await flowsOf({ from: at, to: at + 3600 })
    expect(found.map(({ position }) => position)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(found).toEqual(near(expectedFlows(all, slots, interval)))
  })

  it('fill rates by terms count a machine by its terms at each slot, and leave small groups out', async () => {
    const at = start - 14 * week
    const slots = Array.from({ length: 12 }, (_, index) => at + index * interval)
    const listing = (end: number) => `[null,${end},null,null,null,null,null]`
    const five = [0, 1, 2, 3, 4]
    const all = slots.flatMap((slot, index) => [
      ...five.flatMap((copy) => [
        // A machine that is rented at every other slot. Its listing has 7 days left, then less.
        seen(slot, {
          machine: 10 + copy,
          host: copy % 3,
          least: 1,
          terms: listing(at + 7 * 86_400),
          ...(index % 2 === 0 ? { free: 4 } : { free: 1, rented: [{ gpus: 3, price: 0.4 }] }),
        }),
        seen(slot, {
          machine: 20 + copy,
          least: 4,
          host: 3 + copy,
          terms: listing(at + 200 * 86_400),
          tier: 'deverified',
        }),
        seen(slot, { machine: 30 + copy, rig: 8, free: 8 }),
        // Five machines of two hosts.
        seen(slot, { machine: 40 + copy, least: 2, host: 5 + (copy % 2), terms: listing(at + 200 * 86_400) }),
      ]),
      // One machine: a group of one is left out, together with the smallest other group.
      seen(slot, { machine: 50, least: 3, host: 9, terms: listing(at + 60 * 86_400) }),
    ])
    await land(all, slots)
    const everything = { verified: 'all', hosting: 'all', rig: 'all', memory: 'all' } as const
    const asked = { ...everything, gpu: 'RTX 4090', start: 0, length: 3600 }
    await compareFill(at, asked, { seen: all, slots })
    await compareFill(at, { ...asked, rig: 8 }, { seen: all, slots })
    await compareFill(at, { ...asked, rig: 4 }, { seen: all, slots })
    const found = await server.get(
      `/api/v0/metrics/gpu/fill-by-terms?gpu_name=RTX+4090&start=${at}&end=${at + 3600}`,
    )
    const group = (rentals: number, gpus: number, terms: object) => ({
      ...terms,
      rentals,
      exposure_gpu_hours: expect.closeTo((5 * gpus * interval) / 3600, 9),
    })
    expect(found.body).toMatchObject({
      gpus: {
        'RTX 4090': {
          left_out: { min_gpus: true, days_left: true },
          // 11 pairs of slots. Each of machines 10 to 14 has 4 GPUs free at six of them, and 1 at five. Parts of 2 and of 3 GPUs are left out together.
          min_gpus: [
            group(0, 88, { min_gpus: null }),
            group(90, 29, { min_gpus: 1 }),
            group(0, 44, { min_gpus: 4 }),
          ],
          // The machine alone is left out with the smallest of the others.
          days_left: [
            group(0, 88, { from_days: null, to_days: null }),
            group(75, 25, { from_days: 0, to_days: 7 }),
            group(0, 88, { from_days: 90, to_days: null }),
          ],
          // All others are of an unknown tier.
          tiers: [{ tier: 'unknown' }, group(0, 44, { tier: 'deverified' })],
        },
      },
    })
  })

  it('flows count the time between two sights of a machine that slots have not seen', async () => {
    const at = start - 20 * week
    const slots = [0, 1, 2, 3, 4].map((n) => at + n * interval)
    const part = { free: 3, rented: [{ gpus: 1, price: 0.4 }], least: 1 }
    const full = { free: 0, rented: [{ gpus: 4, price: 0.4 }], least: 1 }
    const all = slots.flatMap((slot, index) => [
      // Seen in slots 0 and 3, and rented as a whole in between.
      seen(slot, { ...(index < 3 ? part : full), carried: (index % 3) * interval }),
      seen(slot, { machine: 2, free: index < 2 ? 4 : 3, rented: index < 2 ? [] : part.rented }),
    ])
    const found = () => flowsOf({ from: at, to: at + 3600 })
    await land(all, slots)
    expect(await found()).toEqual(near(expectedFlows(all, slots, interval)))
    const [first] = await found()
    const gap = (3 * interval) ** 2
    expect(first).toMatchObject({
      position: 0,
      exposure: (3 * 3 + 4 + 4 + 3 + 3) * interval,
      rentals: 4,
      exposure_gap: 3 * gap,
      held_gap: gap,
      mixed_gap: 3 * gap,
      mixed_rentals: 3 * 3 * interval,
      mixed_returns: 0,
    })
    // Without slots 2 and 3 the flows are counted at slot 4, which shows that slot 3 has seen the machine.
    const fewer = all.filter(({ slot }) => slot < at + 2 * interval || slot > at + 3 * interval)
    const later = slots.filter((_, index) => index < 2 || index === 4).map((slot) => slot + week)
    const moved = fewer.map((one) => ({ ...one, slot: one.slot + week }))
    await land(moved, later)
    const range = { from: at + week, to: at + week + 3600 }
    expect(await flowsOf(range)).toEqual(near(expectedFlows(moved, later, interval)))
    expect(await flowsOf(range)).toMatchObject([{ rentals: 4, exposure: (3 * 3 + 4 + 4 * 3) * interval }])
    await rebuildSeries(server, range)
    expect(await check(server, await seriesRange(server.clickhouse))).toMatchObject({ problems: [] })
  })

  it('flows take an empty market for one in which all machines are gone', async () => {
    const at = start - 12 * week
    const slots = [at, at + interval]
    const all = [seen(at, { free: 1, rented: [{ gpus: 3, price: 0.3 }] })]
    await land(all, slots)
    expect(await flowsOf({ from: at, to: at + 3600 })).toEqual(near(expectedFlows(all, slots, interval)))
  })

  it('the check finds flows that are missing, and a rebuild computes them', async () => {
    const range = { from: start - 12 * week, to: start + 52 * week }
    const made = await flowsOf(range)
    expect(made.length).toBeGreaterThan(0)
    const truncate = 'TRUNCATE TABLE flows/*!_local ON CLUSTER $cluster*/'
    await execute(server.clickhouse, truncate)
    const series = await seriesRange(server.clickhouse)
    const lacking = await check(server, series)
    expect(new Set(lacking.problems.map(({ table }) => table))).toEqual(new Set(['flows']))
    await rebuildSeries(server, series)
    expect(await flowsOf(range)).toEqual(made)
    expect(await check(server, series)).toMatchObject({ problems: [] })
  })
}
