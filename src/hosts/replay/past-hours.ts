import { hour } from '../../../contract/durations.ts'
import { type Filters, filterOf, type MachineClass } from '../../../contract/market-filter.ts'
import { type HostShare, hostAsks, hostPart } from '../../../estimates/host-price.ts'
import type { Ask } from '../../../estimates/income-curve.ts'
import { gpusOf } from '../../../estimates/income-curve.ts'
import { type ClickHouse, selectRows } from '../../../platform/stores/clickhouse.ts'
import { selectHistogram } from '../../market/market-query/select.ts'
import { slotsIn } from '../../market/market-query/timeline.ts'

export interface Replayable extends MachineClass {
  id: number
  gpu_name: string
}

/** One past hour: the market's book without the own GPUs, and the state of the machine. */
export interface PastHour {
  /** Unix seconds. */
  start: number
  /** Number of market snapshots. Sums are over all of them. */
  slots: number
  /** The offers of others, cheapest first: all machines of the GPU name, and machines of its class. */
  others: Ask[]
  ofClass: Ask[]
  online: boolean
  /** USD and GPUs of its rentals, each snapshot's as one hour. */
  value: number
  rentedGpus: number
  /** The first asking price in the hour; null: none of its GPUs was available. */
  ask: number | null
  /** Its rentals at the first snapshot. */
  rentals: { price: number; gpus: number }[]
}

interface BookRow {
  hour: number
  prices: number[]
  gpus: number[]
  class_gpus: number[]
}

interface OwnRow {
  hour: number
  value: number
  rented_gpus: number
  online_slots: number
  first_ask: number | null
  offered: [number[], number[]]
  first_rentals: [number, number][]
}

const nothing = {
  value: 0,
  rented_gpus: 0,
  online_slots: 0,
  first_ask: null,
  offered: [[], []],
  first_rentals: [],
} as const

/**
 * The hours of a range that have a snapshot, beginning with the first hour of the machine. Empty: it was not on the market. `classFilter`: the class
 * of `ofClass`.
 */
export async function readPastHours(
  clickhouse: ClickHouse,
  machine: Replayable,
  { from, to, slots }: { from: number; to: number; slots: Uint32Array },
  classFilter: Pick<Replayable, keyof Filters> = filterOf(machine),
): Promise<PastHour[]> {
  const { id, gpu_name: name, num_gpus } = machine
  const [books, own] = await Promise.all([
    selectHistogram<BookRow>(clickhouse, 'replay/books', {
      name,
      ...classFilter,
      from,
      to,
    }),
    selectRows<OwnRow>(clickhouse, 'replay/own_hours', {
      id,
      name,
      num_gpus,
      from,
      to,
    }),
  ])
  const bookOf = new Map(books.map((row) => [row.hour, row]))
  const ownOf = new Map(own.map((row) => [row.hour, row]))
  const found: PastHour[] = []
  for (let start = own[0]?.hour ?? to; start < to; start += hour) {
    const count = slotsIn(slots, { from: start, to: start + hour })
    if (count === 0) continue
    const { offered, ...seen } = ownOf.get(start) ?? nothing
    const { prices = [], gpus = [], class_gpus = [] } = bookOf.get(start) ?? {}
    const ownAt = new Map(offered[0].map((price, index) => [price, offered[1][index] ?? 0]))
    const without = (counts: readonly number[]): Ask[] =>
      prices
        .map((price, index) => ({ price, gpus: (counts[index] ?? 0) - (ownAt.get(price) ?? 0) }))
        .filter((ask) => ask.gpus > 0)
    found.push({
      start,
      slots: count,
      others: without(gpus),
      ofClass: without(class_gpus),
      online: 2 * seen.online_slots >= count,
      value: seen.value / count,
      rentedGpus: seen.rented_gpus / count,
      ask: seen.first_ask,
      rentals: seen.first_rentals.map(([price, gpus]) => ({ price, gpus })),
    })
  }
  return found
}

/** Past hours in the host's part of what renters pay. */
export const hostPartOfHours = (hours: readonly PastHour[], of: HostShare | null): readonly PastHour[] =>
  of
    ? hours.map((one) => ({
        ...one,
        others: hostAsks(one.others, of),
        ofClass: hostAsks(one.ofClass, of),
        rentals: hostAsks(one.rentals, of),
        value: hostPart(one.value, of),
        ask: one.ask === null ? null : hostPart(one.ask, of),
      }))
    : hours

/** The share of the GPUs on offer that is cheaper than a price, when a machine's GPUs are added at each snapshot. */
export const shareCheaper = ({ others, slots }: PastHour, price: number, gpus: number): number =>
  gpusOf(others.filter((ask) => ask.price < price)) / (gpus * slots + gpusOf(others))

/** The smallest price that a share of the GPUs ask or less (nearest rank); null: nothing is on offer. */
export function percentileOf(asks: readonly Ask[], share: number): number | null {
  const wanted = share * gpusOf(asks)
  let asked = 0
  const found = asks.find((ask) => {
    asked += ask.gpus
    return asked >= wanted
  })
  return found?.price ?? null
}
