import { renterPrice } from '../../estimates/host-price.ts'
import type { OwnMachine } from '../api/queries.ts'
import type { ChartSeries, Mark, Value } from '../charts/spec.ts'

/** More lines and marks of one colour could not be distinguished. */
const mostSingle = 5

/** The renters' price of each own listing in each bucket, as far back as known. For many listings: the lowest, the median and the highest price. */
export function ownPrices(own: readonly OwnMachine[], places: readonly number[]): ChartSeries[] {
  const listed = own.filter(({ renter_price }) => renter_price !== null)
  if (listed.length === 0 || places.length === 0) return []
  const group = listed.length === 1 ? 'Your price' : 'Your prices'
  const line = (label: string, values: Value[]): ChartSeries => ({
    label,
    group,
    color: 'own',
    role: 'step',
    values,
  })
  const each = listed.map((machine) => pricesAt(machine, places))
  if (listed.length <= mostSingle)
    return each.map((values, index) => line(`Machine ${listed[index]?.id}, your price`, values))
  const ranked = places.map((_place, index) => ascending(each.flatMap((values) => values[index] ?? [])))
  return ranks.map(([name, rank]) =>
    line(
      `Your ${name} price`,
      ranked.map((prices) => prices[rank(prices.length)] ?? null),
    ),
  )
}

/** The distinct present prices of own listings, as renters pay them. For many listings: the lowest, the median and the highest price. */
export function ownMarks(own: readonly OwnMachine[]): Mark[] {
  const prices = ascending(own.flatMap(({ renter_price }) => renter_price ?? []))
  const mark = (label: string, place: number | undefined): Mark[] =>
    place === undefined ? [] : [{ label, place, color: 'own' }]
  if (new Set(prices).size > mostSingle)
    return ranks.flatMap(([name, rank]) => mark(`Your ${name} price`, prices[rank(prices.length)]))
  return [...new Set(prices)].flatMap((place) => {
    const there = own.filter(({ renter_price }) => renter_price === place)
    return mark(there.length === 1 ? `Machine ${there[0]?.id}` : `${there.length} machines`, place)
  })
}

/** The places of the lowest, the median and the highest among `count` values. */
const ranks: [name: string, rank: (count: number) => number][] = [
  ['lowest', () => 0],
  ['median', (count) => Math.floor((count - 1) / 2)],
  ['highest', (count) => count - 1],
]

const ascending = (prices: readonly number[]): number[] => prices.toSorted((one, other) => one - other)

/** The renters' price of a machine at the end of each bucket; null: unknown. */
function pricesAt({ renter_price, host_share, figures }: OwnMachine, places: readonly number[]): Value[] {
  const { timestamps = [], price: prices = [] } = figures?.price_history ?? {}
  let next = 0
  return places.map((_place, index) => {
    const end = places[index + 1]
    if (end === undefined) return renter_price
    while ((timestamps[next] ?? end) < end) next += 1
    const price = prices[next - 1]
    return price === undefined ? null : renterPrice(price, host_share)
  })
}
