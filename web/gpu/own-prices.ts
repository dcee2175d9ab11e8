import type { OwnMachine } from '../api/queries.ts'
import type { ChartSeries, Mark, Value } from '../charts/spec.ts'

/** More lines and marks of one colour could not be distinguished. */
const mostSingle = 5

/** The price of each own listing in each bucket, as far back as known. For many listings: the lowest, the median and the highest price. */
export function ownPrices(own: readonly OwnMachine[], places: readonly number[]): ChartSeries[] {
  const listed = own.filter(({ price }) => price !== null)
  if (listed.length === 0 || places.length === 0) return []
  const group = listed.length === 1 ? 'Your price' : 'Your prices'
  const line = (label: string, values: Value[]): ChartSeries => ({
    label,
    group,
    color: 'own',
    role: 'line',
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

/** The distinct present prices of own listings. For many listings: the lowest, the median and the highest price. */
export function ownMarks(own: readonly OwnMachine[]): Mark[] {
  const prices = ascending(own.flatMap(({ price }) => price ?? []))
  const mark = (label: string, place: number | undefined): Mark[] =>
    place === undefined ? [] : [{ label, place, color: 'own' }]
  if (new Set(prices).size > mostSingle)
    return ranks.flatMap(([name, rank]) => mark(`Your ${name} price`, prices[rank(prices.length)]))
  return [...new Set(prices)].flatMap((place) => {
    const there = own.filter(({ price }) => price === place)
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

/** The price of a machine at the end of each bucket; null: unknown. */
function pricesAt({ price, figures }: OwnMachine, places: readonly number[]): Value[] {
  const { timestamps = [], price: prices = [] } = figures?.price_history ?? {}
  let next = 0
  return places.map((_place, index) => {
    const end = places[index + 1]
    if (end === undefined) return price
    while ((timestamps[next] ?? end) < end) next += 1
    return prices[next - 1] ?? null
  })
}
