import fc from 'fast-check'
import type { Postgres } from '../platform/stores/postgres.ts'
import type { MachineAtSlot } from './oracle/history.ts'

// A small market: three GPU types (one of which comes and goes), few prices so that ties happen, every kind of machine, and slots of five minutes
// with gaps.
export const gpuNames = ['RTX 4090', 'H100 SXM', 'Titan V']
export const interval = 300

const machine = fc.record({
  gpu: fc.constantFrom(...gpuNames),
  rig: fc.constantFrom(1, 2, 4, 8),
  verified: fc.boolean(),
  hosting: fc.constantFrom('community' as const, 'secure_cloud' as const),
  tflops: fc.integer({ min: 10, max: 90 }),
  dlperf: fc.integer({ min: 10, max: 90 }),
  host: fc.option(fc.nat(3)),
  country: fc.constantFrom('', 'SE', 'US'),
  ram: fc.option(fc.constantFrom(24_576, 81_920)),
  least: fc.option(fc.constantFrom(1, 2)),
  daysLeft: fc.option(fc.constantFrom(0, 6, 7, 45, 100)),
})
const cents = fc.integer({ min: 5, max: 40 }).map((n) => n / 100)
const rentalType = fc.constantFrom('unknown', 'on_demand', 'reserved', 'interruptible')
/** The changes of a machine in a slot: the split of its GPUs, and the prices. Shares are shares of the remainder. */
const moment = fc.record({
  listed: fc.boolean(),
  price: cents,
  first: fc.nat(8),
  firstPrice: cents,
  second: fc.nat(8),
  secondPrice: cents,
  firstType: rentalType,
  secondType: rentalType,
  // Spooled by an earlier release, which did not record the last columns.
  early: fc.boolean(),
})

export const market = fc
  .record({
    machines: fc.array(machine, { minLength: 1, maxLength: 14 }),
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

/** The observations of a market whose first possible slot is `at`, and its slots in the order of their load. */
export function seenOf(
  { machines, order, moments }: Market,
  at: number,
): { seen: MachineAtSlot[]; slots: number[] } {
  const slots = order.map((n) => at + n * interval)
  const seen = slots.flatMap((slot, index) =>
    machines.map((one, id) => look(slot, id, one, moments[index]?.[id])),
  )
  return { seen, slots }
}

type Machine = typeof machine extends fc.Arbitrary<infer T> ? T : never
type Moment = typeof moment extends fc.Arbitrary<infer T> ? T : never

function look(
  slot: number,
  id: number,
  { daysLeft, ...one }: Machine,
  moment: Moment | undefined,
): MachineAtSlot {
  if (!moment) throw new Error('a moment is missing')
  const first = Math.min(moment.first, one.rig)
  const second = Math.min(moment.second, one.rig - first)
  const rented = [
    { gpus: first, price: moment.firstPrice, type: moment.firstType },
    { gpus: second, price: moment.secondPrice, type: moment.secondType },
  ].filter((rental) => rental.gpus > 0)
  const free = moment.listed ? one.rig - first - second : 0
  const { early, price } = moment
  const terms = daysLeft === null ? '' : `[null,${slot + daysLeft * 86_400},null,null,null,null,null]`
  return { slot, machine: id + 1, ...one, terms, early, free, price, rented }
}

/** Spools a slot as a capture would, with equal prices of one machine merged, unless they are of different rental types. */
export async function spool(postgres: Postgres, slot: number, seen: MachineAtSlot[]): Promise<void> {
  const lines = seen.flatMap((one) => {
    const rented = new Map<string, { price: number; type: string; gpus: number }>()
    for (const { price, type: known = 'unknown', gpus } of one.rented) {
      const type = one.early ? 'unknown' : known
      const held = rented.get(`${price} ${type}`)
      rented.set(`${price} ${type}`, { price, type, gpus: (held?.gpus ?? 0) + gpus })
    }
    const states = [
      ...(one.free > 0 ? [[one.free, false, one.price, 'unknown'] as const] : []),
      ...[...rented.values()].map(({ price, type, gpus }) => [gpus, true, price, type] as const),
    ]
    return states.map(([count, isRented, price, type], index) =>
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
        ...(one.early ? [] : [one.host, one.country ?? '', one.ram, type, one.least, one.terms ?? '', '']),
        ...(one.carried || one.tier ? [one.tier ?? 'unknown', one.carried ?? 0] : []),
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
