import { soldMemory } from '../contract/gpu-memory.ts'
import { nothingAvailable, positionOf } from '../estimates/fill-rate.ts'
import { positionsIn, type SimulatedMachine, type SimulatedMarket } from '../simulate/market.ts'
import { addedUp, type DayFlow, flowsOfDays } from '../src/hosts/machines/flow-days.ts'

/** A class of machines of one GPU name at a position. */
type Cell = Pick<DayFlow, 'gpu_name' | 'gpu_memory' | 'num_gpus' | 'verified' | 'hosting_type' | 'position'>

const kinds = ['exposed', 'rented', 'held', 'returned'] as const
type Counts = Record<(typeof kinds)[number], number>

const none = (): Counts => ({ exposed: 0, rented: 0, held: 0, returned: 0 })

/** Counts the flows of a simulated market, as ingest/flows.ts does from observations. */
export function watchFlows(interval: number) {
  let hourly = new Map<string, Cell & Counts>()
  let daily: DayFlow[] = []
  const days: DayFlow[][] = []

  return {
    /** Counts the flows between the current market and its state after `next`. */
    step(market: SimulatedMarket, next: () => void): void {
      const positionIn = positionsIn(market)
      const seen = market.machines.map((machine) => {
        const free = machine.online ? machine.free : 0
        const position = free > 0 ? positionOf(positionIn(machine)) : nothingAvailable
        return { machine, free, position, taken: machine.numGpus - machine.free }
      })
      next()
      for (const { machine, free, position, taken } of seen) {
        const cell = cellOf(hourly, { ...classOf(machine), position })
        const more = machine.numGpus - machine.free - taken
        cell.exposed += free * interval
        cell.held += taken * interval
        cell.rented += Math.max(0, more)
        cell.returned += Math.max(0, -more)
      }
    },

    endHour(): void {
      // Stored as an hour of a day of its own: sums are added up later.
      for (const { exposed, rented, held, returned, ...cell } of hourly.values())
        daily.push({
          ...cell,
          day: days.length,
          exposed_seconds: exposed,
          rented_gpus: rented,
          held_seconds: held,
          returned_gpus: returned,
          exposed_squares: exposed ** 2,
          rented_squares: rented ** 2,
          held_squares: held ** 2,
          returned_squares: returned ** 2,
          rented_products: rented * exposed,
          returned_products: returned * held,
          exposed_gap: 0,
          kept_gap: 0,
          both_gap: 0,
          both_rented: 0,
          both_returned: 0,
        })
      hourly = new Map()
    },

    endDay(): void {
      days.push(addedUp(daily))
      daily = []
    },

    /** The flows of the last days. */
    last: (count: number) => flowsOfDays(days.slice(-count).flat()),
  }
}

export const classOf = ({ type, numGpus, verification, secure }: SimulatedMachine) => ({
  gpu_name: type.name,
  gpu_memory: soldMemory(type.ram),
  num_gpus: numGpus,
  verified: verification === 'verified',
  hosting_type: secure ? 'secure_cloud' : 'community',
})

function cellOf(cells: Map<string, Cell & Counts>, of: Cell): Cell & Counts {
  const key = Object.values(of).join()
  const cell = cells.get(key) ?? { ...of, ...none() }
  cells.set(key, cell)
  return cell
}
