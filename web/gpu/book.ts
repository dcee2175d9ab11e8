import type { GpuDepth } from '../../contract/depth.ts'
import type { OwnMachine } from '../api/queries.ts'
import { type ChartSpec, fileName } from '../charts/spec.ts'
import { counted } from '../format.ts'
import type { Span } from '../view.ts'
import { rentalsUnknown } from './charts.ts'
import { ownMarks } from './own-prices.ts'

/** The book of a GPU type without GPUs. */
export const emptyBook: GpuDepth = {
  price: [],
  available: [],
  cheapest: null,
  rented: { price: [], gpus: [], unpriced: 0, reason: null },
}

/** Running totals. */
function sums(counts: readonly number[]): number[] {
  let sum = 0
  return counts.map((count) => {
    sum += count
    return sum
  })
}

/** The book of a GPU type as a depth chart: the number of GPUs at each price or less, with the visitor's own machines. */
export function bookOf(
  name: string,
  { price, available, rented }: GpuDepth,
  own: readonly OwnMachine[],
  about: Pick<ChartSpec, 'simulated' | 'subject' | 'zone'>,
): ChartSpec {
  const places = [...new Set([...price, ...rented.price])].sort((a, b) => a - b)
  const [askedUpTo, rentedUpTo] = [sums(available), sums(rented.gpus)]
  const upTo = (prices: readonly number[], counts: readonly number[], place: number) =>
    counts[prices.findLastIndex((one) => one <= place)] ?? 0
  const unpriced =
    rented.reason === 'no_rentals_known'
      ? ` ${rentalsUnknown}`
      : rented.unpriced > 0
        ? ` Of ${counted(rented.unpriced, 'rented GPU')} no price is shown: few machines or hosts have them.`
        : ''
  return {
    ...about,
    name: fileName(`book of ${name}`, about.simulated),
    title: `Book of ${name}`,
    unit: 'GPUs',
    note: `GPUs at each price or less, in the newest snapshot.${unpriced}`,
    axis: 'price',
    places,
    daily: false,
    series: [
      {
        label: 'Rented',
        group: 'Rented',
        color: 'rented',
        role: 'step',
        values: places.map((place) =>
          rented.gpus.length > 0 ? upTo(rented.price, rentedUpTo, place) : null,
        ),
      },
      {
        label: 'Available',
        group: 'Available',
        color: 'available',
        role: 'step',
        values: places.map((place) => upTo(price, askedUpTo, place)),
      },
    ],
    marks: ownMarks(own),
  }
}

/** The range of prices of 98 % of the GPUs and of the own machines: a few high prices would leave no room for the rest. */
export function pricesShown({ price, available, rented }: GpuDepth, own: readonly OwnMachine[]): Span {
  const levels = [
    ...price.map((at, index) => ({ at, gpus: available[index] ?? 0 })),
    ...rented.price.map((at, index) => ({ at, gpus: rented.gpus[index] ?? 0 })),
  ].sort((one, other) => one.at - other.at)
  const total = sums(levels.map(({ gpus }) => gpus))
  const most = (total.at(-1) ?? 0) * 0.98
  const last = total.findIndex((sum) => sum >= most)
  const ownPrices = own.flatMap(({ renter_price }) => renter_price ?? [])
  const to = Math.max(levels[last]?.at ?? 1, ...ownPrices)
  const lowest = [...price.slice(0, 1), ...rented.price.slice(0, 1), ...ownPrices]
  const from = lowest.length > 0 ? Math.min(...lowest) : 0
  const room = (to - from || to || 1) * 0.04
  return { from: Math.max(0, from - room), to: to + room }
}
