import { catalog } from '../simulate/gpu-types.ts'
import {
  appealOf,
  demandAt,
  endRental,
  rates,
  type SimulatedMachine,
  startRental,
} from '../simulate/market.ts'
import { createMachine } from '../simulate/population.ts'
import { exponential, pick, seeded } from '../simulate/random.ts'

const events = 20_000

/**
 * Long-run occupancy of a simulated machine whose price stays at a position. It is simulated with many rentals and ends at the simulator's
 * own rates. No forecast can be better, except by chance.
 */
export function openOracle({ from, to }: { from: number; to: number }) {
  const hours = Array.from({ length: Math.round((to - from) / 3600) }, (_, hour) =>
    demandAt(from + hour * 3600),
  )
  const demand = hours.reduce((sum, rate) => sum + rate, 0) / hours.length
  const known = new Map<string, number>()
  return (of: { num_gpus: number; verified: boolean }, position: number): number => {
    const place = Math.round(100 * position) / 100
    const key = `${of.num_gpus} ${of.verified} ${place}`
    const share = known.get(key) ?? walk(machineLike(of), demand, place)
    known.set(key, share)
    return share
  }
}

function machineLike({ num_gpus, verified }: { num_gpus: number; verified: boolean }): SimulatedMachine {
  const [type] = catalog
  if (!type) throw new Error('the catalog is empty')
  const verification = verified ? 'verified' : 'unverified'
  return { ...createMachine(1, 1, seeded(1), type), verification, numGpus: num_gpus, free: num_gpus }
}

function walk(machine: SimulatedMachine, demand: number, position: number): number {
  const random = seeded(machine.numGpus)
  const appeal = demand * appealOf(machine, position)
  let [time, rented] = [0, 0]
  for (let event = 0; event < events; event += 1) {
    const begins = machine.free > 0 ? appeal : 0
    const ends = rates.end * machine.rentals.length
    const passed = exponential(random, 1 / (begins + ends))
    time += passed
    rented += passed * (machine.numGpus - machine.free)
    if (random() * (begins + ends) < begins) startRental(machine, random, time)
    else endRental(machine, pick(random, machine.rentals))
  }
  return rented / time / machine.numGpus
}
