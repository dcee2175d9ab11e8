import type { OwnMachine } from '../api/queries.ts'
import type { ChartSeries, Value } from '../charts/spec.ts'

/** The price of each of the visitor's listings in each bucket, as far back as it is known. */
export function ownPrices(own: readonly OwnMachine[], places: readonly number[]): ChartSeries[] {
  return own.flatMap((machine) =>
    machine.price === null || places.length === 0
      ? []
      : [
          {
            label: `Machine ${machine.id}, your price`,
            group: own.length === 1 ? 'Your price' : 'Your prices',
            color: 'own',
            role: 'line',
            values: pricesAt(machine, places),
          },
        ],
  )
}

/** What it cost at the end of each bucket; null: before it was known. */
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
