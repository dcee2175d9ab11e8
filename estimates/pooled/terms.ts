import {
  type CountedTimes,
  type MarketShape,
  type Places,
  type PooledRig,
  placesIn,
  type Relative,
  type Row,
  rentalParts,
  returnParts,
  rowOf,
  snapshotParts,
} from './effects.ts'
import { placeAt } from './matrix.ts'
import type { Steps } from './steps.ts'

/** Rentals of a machine at similar prices. */
export interface FlowCell extends Relative, CountedTimes {
  /** Index of the machine. */
  machine: number
  /** GPU-hours in which GPUs were available. */
  exposure: number
  rentals: number
}

/** Returns of a machine. */
export interface HeldCell {
  machine: number
  /** GPU-hours rented. */
  held: number
  returns: number
}

/** A machine in the first snapshot. */
export interface SnapshotCell extends Relative {
  machine: number
  free: number
  rented: number
}

/** Everything that is known of a market: its machines, and counts of their GPUs. */
export interface PooledMarket extends MarketShape {
  machines: readonly PooledRig[]
  flows: readonly FlowCell[]
  held: readonly HeldCell[]
  snapshot: readonly SnapshotCell[]
  /** Sums for each rig size: rentals of a machine between two slots, and their squares. */
  together: ReadonlyMap<number, { gpus: number; squares: number }>
}

/** A count with its row. */
export interface Term {
  row: Row
  /** `events`: a Poisson count with `weight` hours. `odds`: a binomial count of `weight`. */
  kind: 'events' | 'odds'
  count: number
  weight: number
}

/** A count of a machine. */
export interface MachineTerm extends Term {
  /** The index in the places of the machine of each place of its row. */
  local: Int32Array
}

/** The terms of a machine, and the places of the effects on it, ascending. */
export interface MachineTerms {
  machine: number
  terms: readonly MachineTerm[]
  places: Int32Array
}

export interface Terms {
  places: Places
  /** Rentals and the snapshot: they depend on the machine's own effect. */
  machines: readonly MachineTerms[]
  /** Returns, which do not. */
  returns: readonly Term[]
  /** Contracts that began, and that ended. */
  contracts: { rented: number; exposure: number; returned: number; held: number }
}

/** Weight of the usual number of GPUs that are rented at once, in contracts. */
const usualWeight = 7.5
/** Growth of that number with the GPUs of a rig. */
const usualGrowth = 0.72
/** GPUs of a rig that are rented together in a snapshot, as a share of the rig. */
const togetherInSnapshot = 0.75

/**
 * GPUs that are rented at once: E[k²] ÷ E[k] of the contracts of a rig size. Counts and exposures are divided by it, so that they vary as
 * Poisson counts do (the variance of a compound Poisson count).
 */
export function gpusAtOnce(gpus: number, together: PooledMarket['together']): number {
  const { gpus: sum, squares } = together.get(gpus) ?? { gpus: 0, squares: 0 }
  const weight = usualWeight * gpus
  return (weight * (1 + usualGrowth * (gpus - 1)) + squares) / (weight + sum)
}

/** Cells that become terms in a step. */
const cellsAtOnce = 3000

/** Sorts the counts of a market by machine. */
export function* termsOf(market: PooledMarket): Steps<Terms> {
  const places = placesIn(market)
  const ofMachine = market.machines.map((): Term[] => [])
  const contracts = { rented: 0, exposure: 0, returned: 0, held: 0 }
  const sizes = market.machines.map(({ gpus }) => gpusAtOnce(gpus, market.together))
  const rigOf = (machine: number) => market.machines[machine] ?? unknownMachine(machine)
  for (const [index, cell] of market.flows.entries()) {
    if (index % cellsAtOnce === 0) yield
    const { machine, exposure, rentals } = cell
    const size = sizes[machine] ?? 1
    const row = rowOf(rentalParts(places, rigOf(machine), cell, cell))
    ofMachine[machine]?.push({ row, kind: 'events', count: rentals / size, weight: exposure / size })
    contracts.rented += rentals / size
    contracts.exposure += exposure / size
  }
  for (const cell of market.snapshot) {
    const { machine, free, rented } = cell
    const rig = rigOf(machine)
    const worth = rig.gpus > 1 ? 1 / (togetherInSnapshot * rig.gpus) : 1
    const row = rowOf(snapshotParts(places, rig, cell))
    ofMachine[machine]?.push({ row, kind: 'odds', count: rented * worth, weight: (free + rented) * worth })
  }
  const returns = market.held.map(({ machine, held, returns }): Term => {
    const size = sizes[machine] ?? 1
    contracts.returned += returns / size
    contracts.held += held / size
    const row = rowOf(returnParts(places, rigOf(machine)))
    return { row, kind: 'events', count: returns / size, weight: held / size }
  })
  yield
  const machines = ofMachine.flatMap((terms, machine) =>
    terms.length === 0 ? [] : [withPlaces(machine, terms)],
  )
  return { places, machines, returns, contracts }
}

function withPlaces(machine: number, terms: readonly Term[]): MachineTerms {
  const known = new Set<number>()
  for (const { row } of terms) for (const place of row.places) known.add(place)
  const places = Int32Array.from(known).sort()
  return {
    machine,
    places,
    terms: terms.map(({ row, kind, count, weight }) => {
      const local = new Int32Array(row.places.length)
      // Both lists ascend.
      let index = 0
      for (const [part, place] of row.places.entries()) {
        while (placeAt(places, index) < place) index += 1
        local[part] = index
      }
      return { row, kind, count, weight, local }
    }),
  }
}

function unknownMachine(machine: number): never {
  throw new RangeError(`there is no machine ${machine}`)
}

/** Contracts that began, by machine and by product. */
export interface Contracts {
  machines: ReadonlyMap<number, number>
  products: ReadonlyMap<number, number>
  all: number
}

/** Counts contracts: GPUs that were rented, by the number that is rented at once. */
export function contractsOf({ machines, flows, together }: PooledMarket): Contracts {
  const found = { machines: new Map<number, number>(), products: new Map<number, number>(), all: 0 }
  for (const { machine, rentals } of flows) {
    const rig = machines[machine] ?? unknownMachine(machine)
    const contracts = rentals / gpusAtOnce(rig.gpus, together)
    found.machines.set(machine, (found.machines.get(machine) ?? 0) + contracts)
    found.products.set(rig.product, (found.products.get(rig.product) ?? 0) + contracts)
    found.all += contracts
  }
  return found
}

/** GPUs that are rented at once, by the size of the rig. */
export const atOnceIn = ({ rigs, together }: PooledMarket): Record<number, number> =>
  Object.fromEntries(rigs.map((gpus) => [gpus, gpusAtOnce(gpus, together)]))
