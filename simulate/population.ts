import { day } from '../contract/durations.ts'
import { normal } from '../estimates/normal.ts'
import { catalog, type SimulatedGpu } from './gpu-types.ts'
import { drawMoods, type SimulatedMachine, type SimulatedMarket } from './market.ts'
import { exponential, pick, type Random, seeded, seededFor } from './random.ts'

/** The input of a simulated market: equal plans give equal markets. */
export interface Plan {
  seed: number
  /** The approximate number of machines. */
  size: number
  /** The time of the market's final state, in unix seconds. */
  anchor: number
  /** The length of its history before the anchor, in seconds; whole intervals. */
  past: number
  /** Seconds between slots. */
  interval: number
}

/** A machine with its lifetime, in seconds before the anchor. */
export interface PastMachine extends SimulatedMachine {
  /** The time when the machine came on the market. */
  came: number
  /** The time when it left for good; 0 if it is still there at the anchor. */
  left: number
}

export interface SimulatedPast extends SimulatedMarket<PastMachine> {
  /** Machines that left during the history. */
  departed: PastMachine[]
}

/** Mean time of a machine on the market. */
export const lifetime = 150 * day

/** All machines that ever exist, before anything has happened. */
export function drawMarket(plan: Plan): SimulatedPast {
  const random = seeded(plan.seed)
  const market: SimulatedPast = { ...drawMoods(random), machines: [], departed: [] }
  const total = catalog.reduce((sum, type) => sum + type.share, 0)
  for (const type of catalog) {
    const count = Math.max(1, Math.round((plan.size * type.share) / total))
    for (let i = 0; i < count; i += 1) {
      const machine = createMachine(plan.seed, market.machines.length + 1, random, type)
      // V8 gives each copy by spread a hidden class of its own, and reading such machines takes 100 times as long.
      market.machines.push(Object.assign(machine, { came: exponential(random, lifetime), left: 0 }))
    }
  }
  const gone = Math.round((plan.size * plan.past) / lifetime)
  for (let i = 1; i <= gone; i += 1) {
    const left = random() * plan.past
    const machine = createMachine(plan.seed, market.machines.length + i, random, drawType(random))
    market.departed.push(Object.assign(machine, { came: left + exponential(random, lifetime), left }))
  }
  return market
}

/** A machine before it comes on the market: online, free, without a price. */
export function createMachine(
  seed: number,
  id: number,
  random: Random,
  type: SimulatedGpu,
): SimulatedMachine {
  const numGpus = pick(random, type.rigs)
  const trust = random()
  return {
    id,
    type,
    numGpus,
    verification:
      trust < type.verified ? 'verified' : trust < 0.1 + 0.9 * type.verified ? 'deverified' : 'unverified',
    secure: random() < type.secure,
    margin: marginOf(seed, id),
    online: true,
    price: 0,
    rentals: [],
    free: numGpus,
    version: 0,
  }
}

/** A margin belongs to the machine for life, and is drawn from its id, so it is not stored. One host in 25 asks far too much. */
export function marginOf(seed: number, id: number): number {
  const random = seededFor(seed, id)
  return 0.16 * normal(random) + (random() < 0.04 ? 0.6 : 0)
}

const types = catalog.flatMap((type) => Array<SimulatedGpu>(type.share).fill(type))
export const drawType = (random: Random): SimulatedGpu => pick(random, types)
