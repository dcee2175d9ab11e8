import { groupBy } from '../platform/group-by.ts'
import { openHistory } from '../simulate/history.ts'
import type { SimulatedMarket } from '../simulate/market.ts'
import type { Plan } from '../simulate/population.ts'
import { medianOf } from './real-prices.ts'

export interface SimulatedHours {
  rented_median: (number | null)[]
  avail_median: (number | null)[]
  occupancy: (number | null)[]
  /** Available GPUs at or below the median price of the first slot. */
  available: number[]
}

/** Figures of each GPU type from the slots of a simulated market, one slot an hour, as in the history. */
export async function simulateHours(plan: Plan): Promise<SimulatedHours[]> {
  const history = openHistory(plan)
  const begin = plan.anchor - plan.past
  await history.leadTo(begin)
  const found = new Map<string, SimulatedHours & { most: number }>()
  for (let slot = begin; slot < plan.anchor; slot += plan.interval) {
    for (const [name, now] of seenIn(history.market)) {
      const of = found.get(name) ?? {
        rented_median: [],
        avail_median: [],
        occupancy: [],
        available: [],
        most: medianOf(now.free) ?? Number.POSITIVE_INFINITY,
      }
      found.set(name, of)
      const [free, rented] = [sumOf(now.free), sumOf(now.rented)]
      of.rented_median.push(medianOf(now.rented))
      of.avail_median.push(medianOf(now.free))
      of.occupancy.push(free + rented > 0 ? rented / (free + rented) : null)
      of.available.push(sumOf(now.free.filter(({ price }) => price <= of.most)))
    }
    history.next()
  }
  return [...found.values()]
}

interface Part {
  price: number
  gpus: number
}

const sumOf = (parts: readonly Part[]): number => parts.reduce((sum, { gpus }) => sum + gpus, 0)

function seenIn({ machines }: SimulatedMarket) {
  const online = machines.filter((machine) => machine.online)
  return [...groupBy(online, ({ type }) => type.name)].map(
    ([name, of]) =>
      [
        name,
        {
          free: of.map(({ price, free: gpus }) => ({ price, gpus })).filter(({ gpus }) => gpus > 0),
          rented: of.flatMap(({ rentals }) =>
            rentals.map(({ price, gpus }) => ({ price, gpus: gpus.length })),
          ),
        },
      ] as const,
  )
}
