import fc from 'fast-check'
import type { Postgres } from '../platform/stores/postgres.ts'
import type { Seen } from './oracle/history.ts'

// A market that fits in one's head: three types (one of which comes and goes), few prices so that ties happen, every
// kind of machine, slots of five minutes with holes.
export const gpuNames = ['RTX 4090', 'H100 SXM', 'Titan V']
export const interval = 300

const machine = fc.record({
  gpu: fc.constantFrom(...gpuNames),
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

export const market = fc
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

type Market = typeof market extends fc.Arbitrary<infer T> ? T : never

/** What was seen of a market whose first possible slot is `at`, and its slots in the order in which they land. */
export function seenOf({ machines, order, moments }: Market, at: number): { seen: Seen[]; slots: number[] } {
  const slots = order.map((n) => at + n * interval)
  const seen = slots.flatMap((slot, index) =>
    machines.map((one, id) => look(slot, id, one, moments[index]?.[id])),
  )
  return { seen, slots }
}

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
export async function spool(postgres: Postgres, slot: number, seen: Seen[]): Promise<void> {
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
