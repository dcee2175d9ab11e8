import { expect, it } from 'vitest'
import { type SeenFlows, withSeenTimes } from '../../estimates/between-sights.ts'
import { type Random, seeded } from '../../simulate/random.ts'
import { flowsOfDays } from '../../src/hosts/machines/flow-days.ts'

type Times = Pick<SeenFlows, 'exposed_seconds' | 'rented_gpus' | 'held_seconds' | 'returned_gpus'>

const interval = 300
const slots = 2000
/** Rentals and returns per GPU-hour. */
const truth = { rented: 0.08, returned: 0.05 }

const none: SeenFlows = {
  exposed_seconds: 0,
  rented_gpus: 0,
  held_seconds: 0,
  returned_gpus: 0,
  exposed_gap: 0,
  kept_gap: 0,
  both_gap: 0,
  both_rented: 0,
  both_returned: 0,
}

/** The flows of machines of `gpus` GPUs, rented one by one, that are seen again after random times of up to `longest` slots. */
function flowsOf(random: Random, { gpus, longest }: { gpus: number; longest: number }): SeenFlows {
  const sum = { ...none }
  for (let machine = 0; machine < 2400 / gpus; machine += 1) {
    const rented = Array.from({ length: gpus }, () => random() < 0.6)
    let last: { slot: number; busy: number } | undefined
    let due = Math.floor(random() * longest)
    for (let slot = 0; slot < slots; slot += 1) {
      if (slot === due) {
        const busy = rented.filter(Boolean).length
        if (last) add(sum, { gpus, busy: last.busy, next: busy, slots: slot - last.slot })
        last = { slot, busy }
        due = slot + 1 + Math.floor(random() * longest)
      }
      for (const [index, isRented] of rented.entries())
        if (random() < ((isRented ? truth.returned : truth.rented) * interval) / 3600)
          rented[index] = !isRented
    }
  }
  return sum
}

function add(
  sum: SeenFlows,
  { gpus, busy, next, slots: count }: { gpus: number; busy: number; next: number; slots: number },
): void {
  const apart = count * interval
  const gap = count > 1 ? apart : 0
  const free = gpus - busy
  sum.exposed_seconds += free * apart
  sum.rented_gpus += Math.max(0, next - busy)
  sum.held_seconds += busy * apart
  sum.returned_gpus += Math.max(0, busy - next)
  sum.exposed_gap += free * apart * gap
  sum.kept_gap += busy * apart * gap
  sum.both_gap += free * busy * apart * gap
  sum.both_rented += Math.max(0, next - busy) * busy * gap
  sum.both_returned += Math.max(0, busy - next) * free * gap
}

const ratesOf = (rows: readonly Times[]) => {
  const total = (name: keyof Times) => rows.reduce((sum, row) => sum + row[name], 0)
  return {
    rented: (3600 * total('rented_gpus')) / total('exposed_seconds'),
    returned: (3600 * total('returned_gpus')) / total('held_seconds'),
  }
}

for (const [gpus, error] of [
  [1, 0.02],
  [4, 0.04],
] as const)
  it(`estimates rates of machines of ${gpus} GPUs with rentals that are not seen`, () => {
    const flows = flowsOf(seeded(gpus), { gpus, longest: 29 })
    const raw = ratesOf([flows])
    expect(raw.rented).toBeLessThan(0.93 * truth.rented)
    expect(raw.returned).toBeLessThan(0.93 * truth.returned)
    const seen = ratesOf(withSeenTimes([flows]))
    expect(Math.abs(seen.rented / truth.rented - 1)).toBeLessThan(error)
    expect(Math.abs(seen.returned / truth.returned - 1)).toBeLessThan(error)
  })

it('corrects the flows of several days of a replay', () => {
  const flows = flowsOf(seeded(2), { gpus: 1, longest: 29 })
  const empty = { exposed_squares: 0, rented_squares: 0, held_squares: 0, returned_squares: 0 }
  const cell = { gpu_name: 'L4', gpu_memory: 24, num_gpus: 1, verified: true, hosting_type: 'community' }
  const rates = ratesOf(
    flowsOfDays(
      [0, 86_400].map((day) => ({
        ...cell,
        ...flows,
        ...empty,
        rented_products: 0,
        returned_products: 0,
        position: 0,
        day,
      })),
    ),
  )
  expect(ratesOf([flows]).rented).toBeLessThan(0.93 * truth.rented)
  expect(Math.abs(rates.rented / truth.rented - 1)).toBeLessThan(0.03)
  expect(Math.abs(rates.returned / truth.returned - 1)).toBeLessThan(0.03)
})

it('leaves flows of a market that each slot sees as a whole as they are', () => {
  const rows = [flowsOf(seeded(3), { gpus: 4, longest: 1 })]
  expect(withSeenTimes(rows)).toBe(rows)
})

it('keeps at least three tenths of the time where machines are hardly ever seen', () => {
  const rare = { ...none, exposed_seconds: 1e6, rented_gpus: 900, held_seconds: 1e6, returned_gpus: 900 }
  const [seen] = withSeenTimes([{ ...rare, exposed_gap: 1e12, kept_gap: 1e12 }])
  expect(seen).toMatchObject({ exposed_seconds: 3e5, held_seconds: 3e5 })
})
