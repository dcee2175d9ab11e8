import type { OwnFigures } from '../../contract/machines.ts'
import type { MachineAtSlot } from './history.ts'

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
const rentedOf = (one: MachineAtSlot) => sum(one.rented.map(({ gpus }) => gpus))
const classOf = (one: MachineAtSlot) => [one.gpu, one.rig, one.verified, one.hosting].join()
const worthOf = (one: MachineAtSlot) => sum(one.rented.map(({ gpus, price }) => gpus * price))

export interface Sums {
  gpus: number
  rented: number
  value: number
}

/** GPUs and money over the slots. */
export const sumsOf = (seen: readonly MachineAtSlot[]): Sums => ({
  gpus: sum(seen.map((one) => one.free + rentedOf(one))),
  rented: sum(seen.map(rentedOf)),
  value: sum(seen.map(worthOf)),
})

type ExpectedTotals = Pick<
  OwnFigures,
  | 'occupancy_1d'
  | 'occupancy_7d'
  | 'occupancy_30d'
  | 'income_1d'
  | 'income_7d'
  | 'income_30d'
  | 'covered_seconds'
  | 'last_seen'
  | 'idle_since'
  | 'price_history'
>

/** Totals of one machine, at the newest slot `slot`. */
export function expectedPast(
  seen: readonly MachineAtSlot[],
  machine: number,
  slot: number,
  interval: number,
): ExpectedTotals {
  const own = seen
    .filter((one) => one.machine === machine && one.slot > slot - 30 * 86_400 && one.free + rentedOf(one) > 0)
    .sort((a, b) => a.slot - b.slot)
  const over = (days: number) => sumsOf(own.filter((one) => one.slot > slot - days * 86_400))
  const covered = (days: number) =>
    interval * new Set(own.filter((one) => one.slot > slot - days * 86_400).map((one) => one.slot)).size
  const [month, week, day] = [over(30), over(7), over(1)]
  const asks = own.filter((one) => one.free > 0)
  const changes = asks.filter((one, index) => one.price !== asks[index - 1]?.price)
  const lastRented = own.filter((one) => rentedOf(one) > 0).at(-1)?.slot
  const isIdle = own.at(-1)?.slot === slot && lastRented !== slot
  return {
    occupancy_1d: day.gpus === 0 ? null : day.rented / day.gpus,
    occupancy_7d: week.gpus === 0 ? null : week.rented / week.gpus,
    occupancy_30d: month.gpus === 0 ? null : month.rented / month.gpus,
    income_1d: (day.value * interval) / 3600,
    income_7d: (week.value * interval) / 3600,
    income_30d: (month.value * interval) / 3600,
    covered_seconds: { '1d': covered(1), '7d': covered(7), '30d': covered(30) },
    last_seen: own.at(-1)?.slot ?? null,
    idle_since: isIdle ? (lastRented === undefined ? (own[0]?.slot ?? null) : lastRented + interval) : null,
    price_history: { timestamps: changes.map((one) => one.slot), price: changes.map((one) => one.price) },
  }
}

/** One machine against the machines of its class of other hosts, over the seven days of whole hours before the newest slot. */
export function expectedSet(
  seen: readonly MachineAtSlot[],
  of: MachineAtSlot,
  slot: number,
): OwnFigures['comp_set'] {
  const to = slot - (slot % 3600)
  const week = seen.filter((one) => one.slot >= to - 7 * 86_400 && one.slot < to)
  const own = sumsOf(week.filter((one) => one.machine === of.machine))
  const others = week.filter(
    (one) => one.host !== of.host && one.free + rentedOf(one) > 0 && classOf(one) === classOf(of),
  )
  const none = (reason: OwnFigures['comp_set']['reason']) => ({ mpi: null, ari: null, rgi: null, reason })
  const set = sumsOf(others)
  const hosts = [...new Set(others.map(({ host }) => host))]
  if (own.gpus === 0) return none('not_seen')
  if (new Set(others.map(({ machine }) => machine)).size < 4) return none('few_machines')
  if (hosts.length < 3) return none('few_hosts')
  if (hosts.some((host) => sumsOf(others.filter((one) => one.host === host)).gpus > set.gpus / 2))
    return none('dominant_host')
  if (set.rented === 0) return none('not_rented')
  const mpi = (100 * own.rented * set.gpus) / own.gpus / set.rented
  if (own.rented === 0) return { mpi: 0, ari: null, rgi: 0, reason: null }
  const ari = (100 * own.value * set.rented) / own.rented / set.value
  const round = (value: number) => Math.round(value * 10) / 10
  return { mpi: round(mpi), ari: round(ari), rgi: round((mpi * ari) / 100), reason: null }
}
