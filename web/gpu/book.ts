import type { GpuDepth } from '../../contract/depth.ts'
import type { OwnMachine } from '../api/queries.ts'
import { type ChartSpec, fileName } from '../charts/spec.ts'
import type { Span } from '../view.ts'
import { ownMarks } from './own-prices.ts'

/** Adds up from the first on. */
function sums(counts: readonly number[]): number[] {
  let sum = 0
  return counts.map((count) => {
    sum += count
    return sum
  })
}

/** The book of a GPU type as a depth chart: how many GPUs there are at each price or less, with the visitor's own machines. */
export function bookOf(
  name: string,
  { price, available, rented }: GpuDepth,
  own: readonly OwnMachine[],
  about: Pick<ChartSpec, 'simulated' | 'subject' | 'zone'>,
): ChartSpec {
  return {
    ...about,
    name: fileName(`book of ${name}`, about.simulated),
    title: `Book of ${name}`,
    unit: 'GPUs',
    note: 'GPUs at a price or less, in the newest snapshot.',
    axis: 'price',
    places: price,
    daily: false,
    series: [
      { label: 'Rented', group: 'Rented', color: 'rented', role: 'step', values: sums(rented) },
      { label: 'Available', group: 'Available', color: 'available', role: 'step', values: sums(available) },
    ],
    marks: ownMarks(own),
  }
}

/** The prices of 98 % of the GPUs, with the own ones: a few dear ones would leave no room for the rest. */
export function pricesShown({ price, available, rented }: GpuDepth, own: readonly OwnMachine[]): Span {
  const total = sums(price.map((_price, index) => (available[index] ?? 0) + (rented[index] ?? 0)))
  const most = (total.at(-1) ?? 0) * 0.98
  const last = total.findIndex((sum) => sum >= most)
  const ownPrices = own.flatMap((machine) => (machine.price === null ? [] : [machine.price]))
  const to = Math.max(price[last] ?? 1, ...ownPrices)
  const from = Math.min(price[0] ?? 0, ...ownPrices)
  const room = (to - from || to || 1) * 0.04
  return { from: Math.max(0, from - room), to: to + room }
}
