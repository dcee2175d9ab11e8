import { median } from 'simple-statistics'
import type { CellRow, SnapshotRow } from '../estimates/pooled/counts.ts'
import { type FittedMarket, fitMarket, openFit } from '../estimates/pooled/market.ts'
import { inOneGo } from '../estimates/pooled/steps.ts'
import { groupBy } from '../platform/group-by.ts'
import { seeded, seededFor } from '../simulate/random.ts'

export interface Machine {
  id: number
  gpu_name: string
  num_gpus: number
  price: number
  /** GPUs rented at the first slot. */
  rented: number
}

export const classed = { gpu_memory: 24, verified: true, hosting_type: 'community' }

/** The market of some machines at one slot. */
export function snapshotOf(machines: readonly Machine[]): SnapshotRow[] {
  return machines.map(({ price, ...one }) => {
    const like = machines.filter(({ gpu_name }) => gpu_name === one.gpu_name)
    const freeOf = ({ num_gpus, rented }: Machine) => num_gpus - rented
    const all = like.reduce(
      (sum, other) => sum + freeOf(other),
      one.rented === one.num_gpus ? one.num_gpus : 0,
    )
    const cheaper = like.filter((other) => other.price < price).reduce((sum, other) => sum + freeOf(other), 0)
    const prices = like.map((other) => Math.log(other.price)).sort((a, b) => a - b)
    const median = prices[Math.floor(prices.length / 2)] ?? 0
    const { id, gpu_name, num_gpus, rented } = one
    const dearness = Math.log(price) - median
    return {
      ...classed,
      id,
      gpu_name,
      num_gpus,
      free: num_gpus - rented,
      rented,
      share: cheaper / Math.max(1, all),
      dearness,
    }
  })
}

/** The fit of a market, from one slot and some counts. */
export function fittedMarket(machines: readonly Machine[], cells: readonly CellRow[] = []): FittedMarket {
  const first = snapshotOf(machines)
  const books = new Map(
    [...groupBy(machines, ({ gpu_name }) => gpu_name)].map(([name, of]) => {
      const free = of.filter(({ num_gpus, rented }) => num_gpus > rented).sort((a, b) => a.price - b.price)
      const book = {
        prices: free.map(({ price }) => price),
        gpus: free.map(({ num_gpus, rented }) => num_gpus - rented),
        machines: free.map(({ id }) => id),
        block: 0,
        weight: 0.01,
      }
      return [`24 ${name}`, { books: [book], median: median(of.map(({ price }) => Math.log(price))) }]
    }),
  )
  const newest = first.map((row, index) => ({ ...row, price: machines[index]?.price ?? 0 }))
  return inOneGo(fitMarket({ days: 0.01, cells, first, books, newest }, seeded(1)))
}

/** The fit of each machine, from one slot and some counts. */
export function openMarket(machines: readonly Machine[], cells: readonly CellRow[] = []) {
  const { fit, products } = fittedMarket(machines, cells)
  const find = openFit(fit, (of) => seededFor(1, of))
  return (machine: Machine) => {
    const fit = find({ ...classed, ...machine }, products)
    if (!fit) throw new Error('the fit has all machines')
    return fit
  }
}

export const manyMachines = (
  count: number,
  change: (index: number) => Partial<Machine> = () => ({}),
): Machine[] =>
  Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    gpu_name: ['RTX 4090', 'RTX 3090', 'H100 SXM'][index % 3] ?? '',
    num_gpus: [1, 2, 4, 8][index % 4] ?? 1,
    price: 0.3 + 0.01 * ((index * 7) % 20),
    rented: (index * 5) % 3 === 0 ? 0 : ([1, 2, 4, 8][index % 4] ?? 1),
    ...change(index),
  }))
