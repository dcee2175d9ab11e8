import fc from 'fast-check'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { check, seriesRange } from '../../ingest/check.ts'
import { loadAll } from '../../ingest/load.ts'
import type { Postgres } from '../../platform/stores/postgres.ts'
import { type Asked, expectedHistory, type Seen } from '../oracle/history.ts'
import { startServer, type TestServer } from '../server.ts'

// A market that fits in one's head: three types (one of which comes and goes), few prices so that ties happen, every
// kind of machine, slots of five minutes with holes.
const gpus = ['RTX 4090', 'H100 SXM', 'Titan V']
const interval = 300

const machine = fc.record({
  gpu: fc.constantFrom(...gpus),
  rig: fc.constantFrom(1, 2, 4, 8),
  verified: fc.boolean(),
  hosting: fc.constantFrom('community' as const, 'secure_cloud' as const),
  tflops: fc.integer({ min: 10, max: 90 }),
  dlperf: fc.integer({ min: 10, max: 90 }),
})
const cents = fc.integer({ min: 5, max: 40 }).map((n) => n / 100)
/** What happens to a machine in a slot: how its GPUs split, and the prices. Shares are of what is left. */
const moment = fc.record({
  listed: fc.boolean(),
  price: cents,
  first: fc.nat(8),
  firstPrice: cents,
  second: fc.nat(8),
  secondPrice: cents,
})

const market = fc
  .record({
    machines: fc.array(machine, { minLength: 1, maxLength: 8 }),
    slots: fc.uniqueArray(fc.nat(200), { minLength: 3, maxLength: 14 }),
  })
  .chain(({ machines, slots }) =>
    fc.record({
      machines: fc.constant(machines),
      order: fc.shuffledSubarray(slots, { minLength: slots.length }),
      moments: fc.array(fc.array(moment, { minLength: machines.length, maxLength: machines.length }), {
        minLength: slots.length,
        maxLength: slots.length,
      }),
    }),
  )

const question = fc.record({
  gpu: fc.constantFrom(...gpus),
  verified: fc.constantFrom('yes' as const, 'no' as const, 'all' as const),
  hosting: fc.constantFrom('all' as const, 'secure_cloud' as const, 'community' as const),
  rig: fc.constantFrom('all' as const, 1, 2, 8),
  // on the ladder, the slot itself, whole hours off the ladder, and finer than hours off the ladder
  step: fc.constantFrom(300, 900, 3600, 10_800, 43_200, 86_400, 604_800, 7200, 18_000, 60, 420, 1000, 5400),
  start: fc.integer({ min: -5000, max: 65_000 }),
  length: fc.integer({ min: 0, max: 70_000 }),
})

let server: TestServer
beforeAll(async () => {
  server = await startServer({ snapshotInterval: interval, seriesMaxAgeMs: 0 })
})
afterAll(() => server?.close())

it('every field of every answer equals the plain definition', async () => {
  let base = 1_700_000_000 - (1_700_000_000 % 604_800)
  await fc.assert(
    fc.asyncProperty(
      market,
      fc.array(question, { minLength: 12, maxLength: 12 }),
      async ({ machines, order, moments }, questions) => {
        // Each market has weeks of its own in the same database, so that one run tests what lies around it, too.
        base += 4 * 604_800
        const at = base + 3 * 86_400
        const slots = order.map((n) => at + n * interval)
        const seen = slots.flatMap((slot, index) =>
          machines.map((one, id) => look(slot, id, one, moments[index]?.[id])),
        )
        // Slots land in any order: late ones, and buckets that are still open.
        for (const slot of slots) {
          await spool(
            server.postgres,
            slot,
            seen.filter((one) => one.slot === slot),
          )
          await loadAll(server)
        }
        for (const { start, length, ...asked } of questions) {
          await compare({ ...asked, start: at + start, end: at + start + length }, seen, slots)
        }
      },
    ),
    // Two shards do the same more slowly.
    {
      numRuns: inject('engines').clickhouse.cluster ? 4 : 12,
      interruptAfterTimeLimit: 100_000,
      endOnFailure: true,
    },
  )
}, 200_000)

it('and every stored row passes the check', async () => {
  const range = await seriesRange(server.clickhouse)
  expect(await check(server, range)).toEqual({ rows: [], slots: [], lost: [] })
}, 120_000)

type Machine = typeof machine extends fc.Arbitrary<infer T> ? T : never
type Moment = typeof moment extends fc.Arbitrary<infer T> ? T : never

function look(slot: number, id: number, one: Machine, moment: Moment | undefined): Seen {
  if (!moment) throw new Error('a moment is missing')
  const first = Math.min(moment.first, one.rig)
  const second = Math.min(moment.second, one.rig - first)
  const rented = [
    { gpus: first, price: moment.firstPrice },
    { gpus: second, price: moment.secondPrice },
  ].filter((rental) => rental.gpus > 0)
  const free = moment.listed ? one.rig - first - second : 0
  return { slot, machine: id + 1, ...one, free, price: moment.price, rented }
}

/** Spools a slot as a capture would, with equal prices of one machine merged. */
async function spool(postgres: Postgres, slot: number, seen: Seen[]): Promise<void> {
  const lines = seen.flatMap((one) => {
    const rented = new Map<number, number>()
    for (const { price, gpus } of one.rented) rented.set(price, (rented.get(price) ?? 0) + gpus)
    const states = [
      ...(one.free > 0 ? [[one.free, false, one.price] as const] : []),
      ...[...rented].map(([price, gpus]) => [gpus, true, price] as const),
    ]
    return states.map(([count, isRented, price], index) =>
      JSON.stringify([
        slot,
        one.machine,
        one.gpu,
        one.rig,
        count,
        index === 0 ? 1 : 0,
        isRented,
        one.verified,
        one.hosting,
        price,
        one.tflops,
        one.dlperf,
        'market',
      ]),
    )
  })
  await postgres.query('INSERT INTO snapshots (slot, source, observations) VALUES ($1, $2, $3)', [
    slot,
    'market',
    lines.length,
  ])
  if (lines.length > 0)
    await postgres.query('INSERT INTO spool (slot, part, rows) VALUES ($1, 0, $2)', [slot, lines.join('\n')])
}

async function compare(asked: Asked, seen: Seen[], slots: number[]): Promise<void> {
  const { gpu, verified, hosting, rig, start, end, step } = asked
  const query = new URLSearchParams({
    gpu_name: gpu,
    verified,
    hosting_type: hosting,
    num_gpus: `${rig}`,
    start: `${start}`,
    end: `${end}`,
    step: `${step}`,
  })
  const { status, headers, body } = await server.get(`/api/v0/metrics/gpu/history?${query}`)
  expect(status).toBe(200)
  expect(Number(headers['rackrate-step'])).toBe(step)
  const { stats, ...series } =
    (body as { gpus: Record<string, ReturnType<typeof expectedHistory>> }).gpus[gpu] ?? fail(gpu)
  const { stats: expectedStats, ...expected } = expectedHistory(seen, slots, asked)
  expect(series, JSON.stringify(asked)).toEqual(expected)
  for (const [name, value] of Object.entries(expectedStats)) {
    const figure = stats[name as keyof typeof stats]
    if (value === null || figure === null) expect(figure, name).toBe(value)
    else expect(figure, name).toBeCloseTo(value, 9)
  }
}

function fail(gpu: string): never {
  throw new Error(`no answer for ${gpu}`)
}
