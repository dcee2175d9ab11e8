import { cellsOf } from '../ingest/observation-columns.ts'
import type { RentalType, SimulatedMachine, SimulatedMarket } from './market.ts'
import type { SimulatedTerms } from './terms.ts'

/** Lines for sql/clickhouse/queries/simulate.sql, and the number of observations in them. */
export interface Runs {
  lines: string[]
  observations: number
}

/** Facts of a machine that snapshots record and the simulation does not have. */
export interface Facts {
  hostId: number
  country: string
  minGpus: number | null
}

interface Run {
  version: number
  era: number
  /** The first and the last of its slots. Each slot has one observation for each of `states`. */
  first: number
  last: number
  states: string[]
}

/**
 * Follows a market through time and collects the observations of its snapshots (sql/postgres/queries/market.sql). A machine changes
 * seldom, so slots without a change become one run.
 */
export function watchRuns(interval: number, factsOf: (id: number) => Facts, terms: SimulatedTerms) {
  let open: Run[] = [] // by the machine's id
  let closed: Run[] = []
  const texts: { era: number; terms: string; specs: string }[] = [] // by the machine's id
  const textsOf = (machine: SimulatedMachine, era: number, slot: number) => {
    const known = texts[machine.id]
    if (known?.era === era) return known
    const made = { era, terms: terms.textAt(machine, slot), specs: terms.specsTextAt(machine, slot) }
    texts[machine.id] = made
    return made
  }

  return {
    see(market: SimulatedMarket, slot: number): void {
      for (const machine of market.machines) {
        const run = open[machine.id]
        const era = terms.eraOf(machine.id, slot)
        if (run?.version === machine.version && run.era === era) {
          run.last = slot
          continue
        }
        if (run) closed.push(run)
        const facts = { ...factsOf(machine.id), ...textsOf(machine, era, slot) }
        const states = statesOf(machine).map((state, index) =>
          columnsOf({ machine, facts }, state, index === 0),
        )
        open[machine.id] = { version: machine.version, era, first: slot, last: slot, states }
      }
    },

    /** Returns the runs since the last call. */
    take(): Runs {
      const taken: Runs = { lines: [], observations: 0 }
      for (const { first, last, states } of closed.concat(Object.values(open))) {
        for (const columns of states) taken.lines.push(`[${first},${last + interval},${columns}`)
        taken.observations += states.length * ((last - first) / interval + 1)
      }
      open = []
      closed = []
      return taken
    },
  }
}

interface State {
  rented: boolean
  price: number
  type: RentalType
  gpus: number
}

/** The state of the available GPUs, which comes first, and one state for each price and type of rental. */
export function statesOf(machine: SimulatedMachine): State[] {
  const held = new Map<string, State>()
  for (const { price, type, gpus } of machine.rentals) {
    const key = `${price} ${type}`
    const state = held.get(key) ?? { rented: true, price, type, gpus: 0 }
    held.set(key, { ...state, gpus: state.gpus + gpus.length })
  }
  const available = machine.online && machine.free > 0
  return [
    ...(available
      ? [{ rented: false, price: machine.price, type: 'unknown' as const, gpus: machine.free }]
      : []),
    ...[...held.values()].sort((a, b) => a.price - b.price || (a.type < b.type ? -1 : 1)),
  ]
}

/** Figures of the whole machine, as the marketplace stores them. */
export const figuresOf = ({ type, numGpus }: SimulatedMachine) => ({
  tflops: type.tflops * numGpus,
  dlperf: type.dlperf * numGpus,
})

// The columns after the two slots. Figures take the same path through floating point as in a snapshot.
function columnsOf(
  { machine, facts }: { machine: SimulatedMachine; facts: Facts & { terms: string; specs: string } },
  state: State,
  counts: boolean,
): string {
  const { tflops, dlperf } = figuresOf(machine)
  const cells = cellsOf({
    machine_id: machine.id,
    gpu_name: machine.type.name,
    num_gpus: machine.numGpus,
    gpus: state.gpus,
    machines: counts ? 1 : 0,
    rented: state.rented,
    verified: machine.verification === 'verified',
    hosting_type: machine.secure ? 'secure_cloud' : 'community',
    price: state.price,
    tflops: tflops / machine.numGpus,
    dlperf: dlperf / machine.numGpus,
    source: 'simulated',
    host_id: facts.hostId,
    country: facts.country,
    gpu_ram: machine.type.ram,
    rental_type: state.type,
    min_gpus: facts.minGpus,
    terms: facts.terms,
    specs: facts.specs,
    tier: machine.verification,
    carried: 0,
  })
  return `${cells}]`
}
