import type { GpuDepth } from '../../contract/depth.ts'
import type { Value } from '../charts/spec.ts'

type Rented = GpuDepth['rented']

/** The book of a GPU type that has none. */
export const emptyBook: GpuDepth = {
  price: [],
  available: [],
  cheapest: null,
  rented: { low: [], high: [], gpus: [], unpriced: 0 },
}

/** Rented GPUs at a price or less. In a bin they are spread evenly. */
export const rentedUpTo = ({ low, high, gpus }: Rented, price: number): number =>
  gpus.reduce((sum, count, index) => {
    const [from = 0, to = 0] = [low[index], high[index]]
    const share = to > from ? Math.min(1, Math.max(0, (price - from) / (to - from))) : Number(from <= price)
    return sum + count * share
  }, 0)

/** The price at which half of the rented GPUs with a price are at or below; null: there are none. */
export function rentedMedian(rented: Rented): Value {
  const half = rented.gpus.reduce((sum, count) => sum + count, 0) / 2
  const edges = [...new Set([...rented.low, ...rented.high])].sort((a, b) => a - b)
  const end = edges.findIndex((edge) => half > 0 && rentedUpTo(rented, edge) >= half)
  const [from, to] = [edges[end - 1], edges[end]]
  if (to === undefined) return null
  const before = from === undefined ? 0 : rentedUpTo(rented, from)
  const isStep = rented.low.every((low, index) => low === rented.high[index])
  return from === undefined || isStep
    ? to
    : from + ((half - before) / (rentedUpTo(rented, to) - before)) * (to - from)
}
