import { nothingAvailable, positionOf } from '../estimates/fill-rate.ts'
import { type Machine, positionsIn, type SimulatedMarket } from '../simulate/market.ts'
import type { ClassFlow } from '../src/metrics/machines/compared.ts'

/** A class of machines of one GPU name at a position. */
type Cell = Pick<ClassFlow, 'gpu_name' | 'num_gpus' | 'verified' | 'hosting_type' | 'position'>

const kinds = ['exposed', 'rented', 'held', 'returned'] as const
type Counts = Record<(typeof kinds)[number], number>

/** Sums over hours: the counts, and what their variances from hour to hour are made of. */
interface Sums extends Cell {
  counts: Counts
  squares: Counts
  products: { rented: number; returned: number }
}

const none = (): Counts => ({ exposed: 0, rented: 0, held: 0, returned: 0 })

/** Counts what happens in a simulated market, as ingest/flows.ts does from observations. */
export function watchFlows(interval: number) {
  let hourly = new Map<string, Cell & Counts>()
  let daily = new Map<string, Sums>()
  const days: Map<string, Sums>[] = []

  return {
    /** Sees the market, and what it is after `next`. */
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
      for (const [key, { exposed, rented, held, returned, ...cell }] of hourly) {
        const sums = sumsOf(daily, key, cell)
        const counts = { exposed, rented, held, returned }
        for (const kind of kinds) {
          sums.counts[kind] += counts[kind]
          sums.squares[kind] += counts[kind] ** 2
        }
        sums.products.rented += rented * exposed
        sums.products.returned += returned * held
      }
      hourly = new Map()
    },

    endDay(): void {
      days.push(daily)
      daily = new Map()
    },

    /** The flows of the last days, as sql/clickhouse/queries/machines/class_flows.sql reads them. */
    last(count: number): ClassFlow[] {
      const total = new Map<string, Sums>()
      for (const [key, { counts, squares, products, ...cell }] of days
        .slice(-count)
        .flatMap((one) => [...one])) {
        const sums = sumsOf(total, key, cell)
        for (const kind of kinds) {
          sums.counts[kind] += counts[kind]
          sums.squares[kind] += squares[kind]
        }
        sums.products.rented += products.rented
        sums.products.returned += products.returned
      }
      return [...total.values()].map(flowOf)
    },
  }
}

function sumsOf(all: Map<string, Sums>, key: string, cell: Cell): Sums {
  const sums = all.get(key) ?? {
    ...cell,
    ...{ counts: none(), squares: none(), products: { rented: 0, returned: 0 } },
  }
  all.set(key, sums)
  return sums
}

export const classOf = ({ type, numGpus, verification, secure }: Machine) => ({
  gpu_name: type.name,
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

function flowOf({ counts, squares, products, ...cell }: Sums): ClassFlow {
  const variance = (event: 'rented' | 'returned', time: 'exposed' | 'held') => {
    const rate = counts[event] / Math.max(1, counts[time])
    return squares[event] - 2 * rate * products[event] + rate ** 2 * squares[time]
  }
  return {
    ...cell,
    exposed_seconds: counts.exposed,
    rented_gpus: counts.rented,
    rented_variance: variance('rented', 'exposed'),
    held_seconds: counts.held,
    returned_gpus: counts.returned,
    returned_variance: variance('returned', 'held'),
  }
}
