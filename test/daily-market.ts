import { max, min } from 'simple-statistics'
import { insertObservations } from '../ingest/load.ts'
import { backfill } from '../ingest/pending-rollups.ts'
import type { Stores } from '../platform/stores/stores.ts'
import { type Random, seeded } from '../simulate/random.ts'
import type { MachineAtSlot } from './oracle/history.ts'

export const day = 86_400

/** Adds the observations as an import does, all at once. */
export async function addSeen(stores: Stores, seen: readonly MachineAtSlot[], token = 'test'): Promise<void> {
  const slots = seen.map(({ slot }) => slot)
  const range = { from: min(slots), to: max(slots) + 1 }
  await backfill(stores, range, async (series) => {
    await insertObservations(series, seen.flatMap(linesOf).join('\n'), {
      slot: range.from,
      source: 'test',
      token,
    })
    return seen.length
  })
}

function linesOf(one: MachineAtSlot): string[] {
  const states = [
    ...(one.free > 0 ? [{ gpus: one.free, rented: false, price: one.price }] : []),
    ...one.rented.map(({ gpus, price }) => ({ gpus, rented: true, price })),
  ]
  return states.map(({ gpus, rented, price }, index) =>
    JSON.stringify([
      one.slot,
      one.machine,
      one.gpu,
      one.rig,
      gpus,
      index === 0 ? 1 : 0,
      rented,
      one.verified,
      one.hosting,
      price,
      one.tflops,
      one.dlperf,
      'test',
      one.host ?? null,
      one.country ?? '',
      one.ram ?? null,
      'unknown',
      one.least ?? null,
      one.terms ?? '',
      one.specs ?? '',
      one.tier ?? 'unknown',
      one.carried ?? 0,
    ]),
  )
}

interface Plan {
  seed: number
  start: number
  days: number
  machines: number
  /** Days without a slot. */
  holes?: readonly number[]
}

/**
 * A market of some weeks with two GPU names, of which machines come, go, are rented in part, change their price, their rig and their GPU
 * name. Two slots a day.
 */
export function dailyMarket({ seed, start, days, machines, holes = [] }: Plan): MachineAtSlot[] {
  const random = seeded(seed)
  const seen: MachineAtSlot[] = []
  const fleet = Array.from({ length: machines }, (_, index) => ({
    machine: index + 1,
    gpu: index % 3 ? 'RTX 4090' : 'H100 SXM',
    rig: 1 + Math.floor(random() * 8),
    price: cents(0.2 + random()),
    on: random() < 0.8,
    host: Math.floor(index / 3),
  }))
  for (let index = 0; index < days; index += 1) {
    for (const one of fleet) {
      if (random() < 0.03) one.on = !one.on
      if (random() < 0.3) one.price = cents(one.price * (0.95 + 0.1 * random()))
      if (random() < 0.005) one.rig = 1 + Math.floor(random() * 8)
      if (random() < 0.005) one.gpu = one.gpu === 'RTX 4090' ? 'H100 SXM' : 'RTX 4090'
    }
    if (holes.includes(index)) continue
    for (const hour of [3, 15])
      for (const one of fleet) if (one.on) seen.push(look(random, start + index * day + hour * 3600, one))
  }
  return seen
}

const cents = (price: number) => Math.max(0.01, Math.round(price * 100) / 100)

function look(
  random: Random,
  slot: number,
  one: { machine: number; gpu: string; rig: number; price: number; host: number },
): MachineAtSlot {
  const { machine, gpu, rig, price, host } = one
  const taken = random() < 0.3 ? Math.floor(random() * (rig + 1)) : 0
  return {
    slot,
    machine,
    gpu,
    rig,
    price,
    host,
    free: rig - taken,
    verified: true,
    hosting: 'community' as const,
    rented: taken > 0 ? [{ gpus: taken, price }] : [],
    tflops: 10,
    dlperf: 10,
  }
}
