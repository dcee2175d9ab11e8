import { day, hour } from '../../../contract/durations.ts'
import { ceilTo, floorTo } from '../../../contract/ladder.ts'
import { type HostShare, hostPart } from '../../../estimates/host-price.ts'
import { type ClickHouse, selectRows } from '../../../platform/stores/clickhouse.ts'
import type { SinceChange } from './own-results.ts'
import type { WholeDays } from './whole-days.ts'

const mostPrices = 500

/** Totals for one machine over part of its history. A row of machines/own_days. */
interface PastPart {
  id: number
  gpus_30d: number
  rented_30d: number
  value_30d: number
  slots_30d: number
  first_slot: number
  last_slot: number
  rented_slot: number
  asks: [number, number][]
  /** Totals since the last of `asks`: slots, GPUs, rented GPUs, money, and the rented share at the first slot. */
  since_ask: [number, number, number, number, number]
}

/** Totals that include the last week. A row of machines/own_history. */
export interface OwnHistory extends PastPart {
  gpus_7d: number
  rented_7d: number
  value_7d: number
  gpus_1d: number
  rented_1d: number
  value_1d: number
  slots_7d: number
  slots_1d: number
  /** GPUs, rented GPUs, and money over the whole hours of its comp set. */
  set: [number, number, number]
  /** Its hosts in that time; 0: unknown. */
  hosts: number[]
  free_now: number
  rented_now: number
  /** Its prices since the start of the mean book, and its GPUs available at each price, summed over the slots. */
  offered: [number[], number[]]
}

/** A machine's past with the host's part of its prices and incomes. Totals that are compared with other hosts stay as they are. */
export function hostPartOfPast(
  history: OwnHistory | undefined,
  of: HostShare | null,
): OwnHistory | undefined {
  if (!history || !of) return history
  const [slots, gpus, rented, value, share] = history.since_ask
  const part = (money: number) => hostPart(money, of)
  return {
    ...history,
    value_1d: part(history.value_1d),
    value_7d: part(history.value_7d),
    value_30d: part(history.value_30d),
    asks: history.asks.map(([time, price]) => [time, part(price)]),
    since_ask: [slots, gpus, rented, part(value), share],
  }
}

interface PastQuery {
  /** The newest one. */
  slot: number
  /** Seconds between slots. */
  interval: number
  hasRentals: boolean
}

/** The figures of a machine's past. Where no source knows rentals, figures of rentals are null. */
export function pastOf(history: OwnHistory | undefined, { hasRentals, ...asked }: PastQuery) {
  const past = recordedPast(history, asked)
  return hasRentals ? { ...past, past_reason: null } : { ...past, ...noRentals }
}

const noRentals = {
  occupancy_1d: null,
  occupancy_7d: null,
  occupancy_30d: null,
  income_1d: null,
  income_7d: null,
  income_30d: null,
  idle_since: null,
  past_reason: 'no_rentals_known',
} as const

function recordedPast(
  history: OwnHistory | undefined,
  { slot, interval }: Pick<PastQuery, 'slot' | 'interval'>,
) {
  const asks = history?.asks.slice(-mostPrices) ?? []
  const price_history = { timestamps: asks.map(([time]) => time), price: asks.map(([, price]) => price) }
  if (!history)
    return {
      occupancy_1d: null,
      occupancy_7d: null,
      occupancy_30d: null,
      income_1d: 0,
      income_7d: 0,
      income_30d: 0,
      covered_seconds: { '1d': 0, '7d': 0, '30d': 0 },
      last_seen: null,
      idle_since: null,
      price_history,
    }
  const share = (rented: number, all: number) => (all === 0 ? null : rented / all)
  const isIdle = history.rented_now === 0 && history.free_now > 0
  return {
    occupancy_1d: share(history.rented_1d, history.gpus_1d),
    occupancy_7d: share(history.rented_7d, history.gpus_7d),
    occupancy_30d: share(history.rented_30d, history.gpus_30d),
    income_1d: (history.value_1d * interval) / hour,
    income_7d: (history.value_7d * interval) / hour,
    income_30d: (history.value_30d * interval) / hour,
    covered_seconds: {
      '1d': history.slots_1d * interval,
      '7d': history.slots_7d * interval,
      '30d': history.slots_30d * interval,
    },
    last_seen: history.last_slot,
    idle_since: isIdle ? Math.min(slot, idleSince(history, interval)) : null,
    price_history,
  }
}

/** The slot after the last one with a rented GPU. If there is none, the first slot of the machine. */
export const idleSince = (
  { rented_slot, first_slot }: Pick<OwnHistory, 'rented_slot' | 'first_slot'>,
  interval: number,
): number => (rented_slot === 0 ? first_slot : rented_slot + interval)

/** Totals of a machine since its price last changed; undefined: it was never on the market at its listed price. */
export function sinceChange(history: OwnHistory | undefined, price: number | null): SinceChange | undefined {
  const [since, last] = history?.asks.at(-1) ?? []
  if (!history || since === undefined || last !== price) return undefined
  const [slots, all_gpus, rented_gpus, value, rented_share] = history.since_ask
  return { since, slots, all_gpus, rented_gpus, value, rented_share }
}

/** The parameters of machines/own_history, except the whole days. */
export interface OwnAsked extends Record<string, number | number[] | string[]> {
  ids: number[]
  names: string[]
  rigs: number[]
  from: number
  week: number
  book: number
  book_to: number
  set_from: number
  slot: number
}

/** The whole days before the last week. */
export const pastDays = ({ from, week, book, set_from }: OwnAsked) => ({
  from: ceilTo(day, from + 1),
  to: floorTo(day, Math.min(week, book, set_from)),
})

/** Totals of some machines on whole days, by id. They change only when days are published. */
export async function readDays(
  clickhouse: ClickHouse,
  { ids, names, rigs }: OwnAsked,
  days: WholeDays,
): Promise<ReadonlyMap<number, PastPart>> {
  if (days.days_from >= days.days_to) return new Map()
  const query = 'machines/own_days'
  const rows = await selectRows<PastPart>(clickhouse, query, { ids, names, rigs, ...days })
  return new Map(rows.map((row) => [row.id, row]))
}

/** The past of some machines, by id. */
export async function readPast(
  clickhouse: ClickHouse,
  own: OwnAsked,
  days: WholeDays,
  daysOf = readDays(clickhouse, own, days),
): Promise<Map<number, OwnHistory>> {
  const query = 'machines/own_history'
  const [rows, whole] = await Promise.all([
    selectRows<OwnHistory & { before: 0 | 1 }>(clickhouse, query, { ...own, ...days }),
    daysOf,
  ])
  const [before, since] = [1, 0].map(
    (side) => new Map(rows.flatMap(({ before, ...row }) => (before === side ? [[row.id, row]] : []))),
  )
  return new Map(
    own.ids.flatMap((id) => {
      const parts = [before?.get(id), whole.get(id), since?.get(id)].filter((part) => part !== undefined)
      return parts.length === 0 ? [] : [[id, { ...noWeek, ...parts.reduce(joined) }]]
    }),
  )
}

const noWeek: Omit<OwnHistory, keyof PastPart> = {
  gpus_7d: 0,
  rented_7d: 0,
  value_7d: 0,
  slots_7d: 0,
  gpus_1d: 0,
  rented_1d: 0,
  value_1d: 0,
  slots_1d: 0,
  set: [0, 0, 0],
  hosts: [],
  offered: [[], []],
  free_now: 0,
  rented_now: 0,
}

/** Joins two parts of a machine's past. The last week is in the later one. */
function joined(before: PastPart, since: PastPart): PastPart {
  const lastAsk = before.asks.at(-1)
  const isSame = lastAsk !== undefined && since.asks[0]?.[1] === lastAsk[1]
  const changes = isSame ? since.asks.slice(1) : since.asks
  const [slots, gpus, rented, value, share] = before.since_ask
  const still: PastPart['since_ask'] = [
    slots + since.slots_30d,
    gpus + since.gpus_30d,
    rented + since.rented_30d,
    value + since.value_30d,
    share,
  ]
  return {
    ...since,
    gpus_30d: before.gpus_30d + since.gpus_30d,
    rented_30d: before.rented_30d + since.rented_30d,
    value_30d: before.value_30d + since.value_30d,
    slots_30d: before.slots_30d + since.slots_30d,
    first_slot: before.first_slot,
    rented_slot: Math.max(before.rented_slot, since.rented_slot),
    asks: [...before.asks, ...changes],
    since_ask: changes.length > 0 || lastAsk === undefined ? since.since_ask : still,
  }
}
