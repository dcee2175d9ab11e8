import type { GpuFill } from '../../contract/fill.ts'
import type { GpuFillByTerms } from '../../contract/fill-by-terms.ts'
import type { GpuTimeToRent } from '../../contract/time-to-rent.ts'
import { hasMemory, type MachineAtSlot, memoryOf } from './history.ts'

/** A row of flows. Times in seconds; prices in USD. */
export interface Flow {
  hour: number
  gpu_name: string
  num_gpus: number
  verified: boolean
  hosting_type: string
  gpu_memory: number
  tier: string
  position: number
  exposure: number
  rentals: number
  withdrawn: number
  rental_value: number
  held: number
  returns: number
  price_low: number | null
  price_high: number | null
  exposure_gap: number
  held_gap: number
  mixed_gap: number
  mixed_rentals: number
  mixed_returns: number
}

const rentedOf = (one: MachineAtSlot) => one.rented.reduce((sum, { gpus }) => sum + gpus, 0)
const isSame = (a: MachineAtSlot, b: MachineAtSlot) =>
  a.machine === b.machine && a.gpu === b.gpu && a.rig === b.rig

/**
 * The flows between each slot and the market's next, by the definitions of docs/numbers.md. `slots`: every slot of the market.
 */
export function expectedFlows(
  seen: readonly MachineAtSlot[],
  slots: readonly number[],
  interval: number,
  placeOf = positionOf,
): Flow[] {
  const order = [...new Set(slots)].sort((a, b) => a - b)
  const rows = new Map<string, Flow>()
  for (const [index, slot] of order.entries()) {
    const next = order[index + 1]
    if (next === undefined || next - slot > 3 * interval) continue
    const now = seen.filter((one) => one.slot === slot)
    for (const one of now) {
      const later = seen.find((other) => other.slot === next && isSame(one, other))
      add(rows, one, { seconds: next - slot, later, position: placeOf(one, now) })
    }
  }
  return [...rows.values()]
}

/** The tenth of the available GPUs of its name and size of memory that a machine is in. */
function positionOf(one: MachineAtSlot, now: readonly MachineAtSlot[]): number {
  if (one.free === 0) return 10
  const peers = now.filter((other) => other.gpu === one.gpu && memoryOf(other) === memoryOf(one))
  const gpus = (some: readonly MachineAtSlot[]) => some.reduce((sum, { free }) => sum + free, 0)
  const cheaper = gpus(peers.filter(({ price }) => price < one.price))
  return Math.min(9, Math.floor((10 * cheaper) / gpus(peers)))
}

interface Step {
  seconds: number
  /** The machine at the next slot; undefined: it is gone. */
  later: MachineAtSlot | undefined
  position: number
}

function add(rows: Map<string, Flow>, one: MachineAtSlot, { seconds, later, position }: Step): void {
  const [free, rented] = [one.free, rentedOf(one)]
  if (free + rented === 0) return
  const [laterFree, laterRented] = later ? [later.free, rentedOf(later)] : [0, 0]
  const rentals = Math.min(free, Math.max(0, laterRented - rented))
  const price = free > 0 ? one.price : null
  const key = {
    hour: Math.floor(one.slot / 3600) * 3600,
    gpu_name: one.gpu,
    num_gpus: one.rig,
    verified: one.verified,
    hosting_type: one.hosting,
    gpu_memory: memoryOf(one),
    tier: one.tier ?? 'unknown',
    position,
  }
  const counts = { exposure: 0, rentals: 0, withdrawn: 0, rental_value: 0, held: 0, returns: 0 }
  const empty = { ...counts, exposure_gap: 0, held_gap: 0, mixed_gap: 0, mixed_rentals: 0, mixed_returns: 0 }
  const name = JSON.stringify(key)
  const row = rows.get(name) ?? { ...key, ...empty, price_low: price, price_high: price }
  // The time between two sights of the machine. A machine that the next slot has not seen has none yet.
  const apart = Math.max(0, seconds + (one.carried ?? 0) - (later?.carried ?? 0))
  const gap = apart > seconds ? apart : 0
  row.exposure += free * apart
  row.exposure_gap += free * apart * gap
  row.held_gap += rented * apart * gap
  const returns = Math.max(0, rented - laterRented)
  row.mixed_rentals += Math.floor((rentals * rented * gap) / (one.least ?? 1))
  row.mixed_returns += Math.floor((returns * free * gap) / (one.least ?? 1))
  row.mixed_gap += Math.floor((free * rented * apart * gap) / (one.least ?? 1))
  row.rentals += rentals
  row.withdrawn += Math.max(0, free - rentals - laterFree)
  row.rental_value += rentals * (price ?? 0)
  row.held += rented * apart
  row.returns += Math.max(0, rented - laterRented)
  if (price !== null) {
    row.price_low = Math.min(row.price_low ?? price, price)
    row.price_high = Math.max(row.price_high ?? price, price)
  }
  rows.set(name, row)
}

interface FillAsked {
  gpu: string
  verified: 'yes' | 'no' | 'all'
  hosting: 'all' | 'secure_cloud' | 'community'
  rig: number | 'all'
  memory?: number | 'all'
  /** Whole hours. */
  from: number
  to: number
}

/** The fill rates of one GPU name, by the definitions of docs/numbers.md. */
export function expectedFill(flows: readonly Flow[], slots: readonly number[], asked: FillAsked): GpuFill {
  const { gpu, verified, hosting, rig, memory = 'all', from, to } = asked
  const rows = flows.filter(
    (row) =>
      row.gpu_name === gpu &&
      row.hour >= from &&
      row.hour < to &&
      (verified === 'all' || row.verified === (verified === 'yes')) &&
      (hosting === 'all' || row.hosting_type === hosting) &&
      (rig === 'all' || row.num_gpus === rig) &&
      (memory === 'all' || row.gpu_memory === memory),
  )
  const sum = (some: readonly Flow[], what: (row: Flow) => number) =>
    some.reduce((total, row) => total + what(row), 0)
  const held = sum(rows, (row) => row.held) / 3600
  const returns = sum(rows, (row) => row.returns)
  const back = held > 0 ? returns / held : null
  /** The variance of the counts of each row around the rate of their position. */
  const variance = (of: readonly Flow[], count: 'rentals' | 'returns', time: 'exposure' | 'held') =>
    sum(of, (row) => {
      const here = of.filter(({ position }) => position === row.position)
      const rate =
        sum(here, (one) => one[count]) /
        Math.max(
          1,
          sum(here, (one) => one[time]),
        )
      return (row[count] - rate * row[time]) ** 2
    })
  /** The dispersion of all positions, pulled to the mean rig size, as if 5 more had been rented as whole rigs. */
  const dispersionOf = (count: 'rentals' | 'returns', time: 'exposure' | 'held') => {
    const seconds = Math.max(
      1,
      sum(rows, (row) => row[time]),
    )
    const meanRig = sum(rows, (row) => row[time] * row.num_gpus) / seconds
    return Math.max(1, (variance(rows, count, time) + 5 * meanRig) / (sum(rows, (row) => row[count]) + 5))
  }
  const usual = dispersionOf('rentals', 'exposure')
  const usualBack = dispersionOf('returns', 'held')

  const filled = (some: readonly Flow[]) => {
    const hours = sum(some, (row) => row.exposure) / 3600
    const rentals = sum(some, (row) => row.rentals)
    const reason = hours < 24 ? ('little_exposure' as const) : rentals < 5 ? ('few_rentals' as const) : null
    const rate = reason === null ? rentals / hours : null
    // With few rentals it is pulled to the usual value, as if 20 more had been observed.
    const dispersion = (variance(some, 'rentals', 'exposure') + 20 * usual) / (rentals + 20)
    const lows = some.flatMap((row) => (row.price_low === null ? [] : [row.price_low]))
    const highs = some.flatMap((row) => (row.price_high === null ? [] : [row.price_high]))
    return {
      price_low: lows.length === 0 ? null : Math.min(...lows),
      price_high: highs.length === 0 ? null : Math.max(...highs),
      exposure_gpu_hours: hours,
      rentals,
      withdrawn: sum(some, (row) => row.withdrawn),
      fill_rate: rate === null ? noRate : byar(rentals, hours, Math.max(1, dispersion)),
      hours_to_rent: rate === null ? null : hours / rentals,
      occupancy: rate === null || back === null ? null : rate / (rate + back),
      reason,
    }
  }
  const seen = [...new Set(rows.map((row) => row.position))].filter((position) => position < 10)
  const all = filled(rows)
  return {
    from,
    to,
    slots: slots.filter((slot) => slot >= from && slot < to).length,
    held_gpu_hours: held,
    returns,
    return_rate: held > 0 ? byar(returns, held, usualBack) : noRate,
    positions: seen
      .sort((a, b) => a - b)
      .map((position) => ({ position, ...filled(rows.filter((row) => row.position === position)) })),
    all,
    reason: all.reason,
  }
}

/** The fill rates of one GPU name by terms, by the definitions of docs/numbers.md. */
export function expectedFillByTerms(
  seen: readonly MachineAtSlot[],
  slots: readonly number[],
  asked: FillAsked & { interval: number },
): GpuFillByTerms {
  const { from, to, interval } = asked
  const order = [...new Set(slots)].sort((a, b) => a - b)
  const isCounted = (one: MachineAtSlot) => {
    const next = order[order.indexOf(one.slot) + 1]
    return (
      one.slot >= from &&
      one.slot < to &&
      next !== undefined &&
      next - one.slot <= 3 * interval &&
      one.free + rentedOf(one) > 0 &&
      one.gpu === asked.gpu &&
      (asked.verified === 'all' || one.verified === (asked.verified === 'yes')) &&
      (asked.hosting === 'all' || one.hosting === asked.hosting) &&
      (asked.rig === 'all' || one.rig === asked.rig)
    )
  }
  /** True if groups together have fewer than 5 machines or 3 hosts. */
  const isSmall = (boundOf: (one: MachineAtSlot) => number | null, bounds: readonly (number | null)[]) => {
    const own = seen.filter((one) => isCounted(one) && bounds.includes(boundOf(one)))
    const hostOf = ({ host, early, machine }: MachineAtSlot) =>
      host == null || early ? `machine ${machine}` : host
    const machines = new Set(own.map(({ machine }) => machine)).size
    return { machines, isSmall: machines < 5 || new Set(own.map(hostOf)).size < 3 }
  }
  const groups = (boundOf: (one: MachineAtSlot) => number | null) => {
    const flows = expectedFlows(seen, slots, interval, (one) => boundOf(one) ?? -1)
    const fills = [...new Set(flows.map(({ position }) => position))]
      .sort((a, b) => a - b)
      .map((bound) => {
        const own = flows.filter(({ position }) => position === bound)
        const { all, return_rate, held_gpu_hours } = expectedFill(
          own.map((row) => ({ ...row, position: 0 })),
          slots,
          asked,
        )
        return { bound: bound < 0 ? null : bound, held_gpu_hours, rates: { ...all, return_rate } }
      })
    // Groups without a machine that passes the filter are dropped.
    const all = fills.filter(({ held_gpu_hours, rates }) => held_gpu_hours + rates.exposure_gpu_hours > 0)
    const sizeOf = (some: typeof all) =>
      isSmall(
        boundOf,
        some.map(({ bound }) => bound),
      )
    // If groups have one size, the one with the highest bound comes first.
    const bySize = all
      .toReversed()
      .toSorted((one, other) => sizeOf([one]).machines - sizeOf([other]).machines)
    const small = bySize.filter((one) => sizeOf([one]).isSmall)
    const large = bySize.filter((one) => !sizeOf([one]).isSmall)
    const also = large.findIndex((_, index) => !sizeOf([...small, ...large.slice(0, index)]).isSmall)
    const kept = small.length === 0 ? large : also < 0 ? [] : large.slice(also)
    return { isLeftOut: kept.length < all.length, shown: all.filter((one) => kept.includes(one)) }
  }
  const bounds = [0, 7, 30, 90]
  const daysLeft = ({ slot, terms, early }: MachineAtSlot) =>
    terms && !early ? (JSON.parse(terms)[1] - slot) / 86_400 : null
  const parts = groups(({ least, early }) => (early ? null : (least ?? null)))
  const storedTiers = ['unknown', 'verified', 'unverified', 'deverified'] as const
  const tiers = groups(({ tier = 'unknown' }) => storedTiers.indexOf(tier))
  const ends = groups((one) => {
    const days = daysLeft(one)
    return days === null ? null : (bounds.findLast((bound) => bound <= days) ?? 0)
  })
  return {
    from,
    to,
    slots: slots.filter((slot) => slot >= from && slot < to).length,
    left_out: { min_gpus: parts.isLeftOut, days_left: ends.isLeftOut, tiers: tiers.isLeftOut },
    min_gpus: parts.shown.map(({ bound, rates }) => ({
      min_gpus: bound,
      ...rates,
    })),
    days_left: ends.shown.map(({ bound, rates }) => ({
      from_days: bound,
      to_days: bound === null ? null : (bounds.find((day) => day > bound) ?? null),
      ...rates,
    })),
    tiers: tiers.shown.map(({ bound, rates }) => ({ tier: storedTiers[bound ?? 0] ?? 'unknown', ...rates })),
  }
}

const noRate = { value: null, low: null, high: null }

/** Byar's interval of the number of events, where simultaneous ones count as one. */
function byar(events: number, exposed: number, dispersion: number) {
  const [n, hours] = [events / dispersion, exposed / dispersion]
  const low = n === 0 ? 0 : n * Math.max(0, 1 - 1 / (9 * n) - 1.96 / (3 * Math.sqrt(n))) ** 3
  const m = n + 1
  const high = m * (1 - 1 / (9 * m) + 1.96 / (3 * Math.sqrt(m))) ** 3
  return { value: n / hours, low: low / hours, high: high / hours }
}

/** The waiting times of machines of one GPU name until the first rental, by the definitions of docs/numbers.md. */
export function expectedTimeToRent(
  seen: readonly MachineAtSlot[],
  slots: readonly number[],
  asked: FillAsked & { interval: number },
): GpuTimeToRent {
  const { gpu, verified, hosting, rig, from, to, interval } = asked
  const order = [...new Set(slots)].filter((slot) => slot >= from && slot < to).sort((a, b) => a - b)
  const own = seen.filter((one) => one.gpu === gpu)
  const machines = [...new Set(own.map(({ machine, rig: size }) => `${machine} ${size}`))]
  const waits: { hours: number; rented: boolean }[] = []
  for (const name of machines) {
    const at = (slot: number | undefined) =>
      own.find((one) => one.slot === slot && `${one.machine} ${one.rig}` === name)
    const free = (one: MachineAtSlot | undefined) => one?.free ?? 0
    const busy = (one: MachineAtSlot | undefined) => (one ? rentedOf(one) : 0)
    let open: { since: number; first: MachineAtSlot } | undefined
    const end = (slot: number, rented: boolean) => {
      const passes =
        open &&
        (verified === 'all' || open.first.verified === (verified === 'yes')) &&
        (hosting === 'all' || open.first.hosting === hosting) &&
        (rig === 'all' || open.first.rig === rig) &&
        hasMemory(open.first, asked)
      if (open && passes && slot > open.since) waits.push({ hours: (slot - open.since) / 3600, rented })
      open = undefined
    }
    for (const [index, slot] of order.entries()) {
      const [previous, next] = [order[index - 1], order[index + 1]]
      const [before, now, after] = [at(previous), at(slot), at(next)]
      const isConnected = previous !== undefined && slot - previous <= 3 * interval
      const wasRentedFrom = free(before) > 0 && busy(now) > busy(before)
      if (now && free(now) > 0 && isConnected && (free(before) === 0 || wasRentedFrom))
        open = { since: slot, first: now }
      if (next === undefined || next - slot > 3 * interval) end(slot, false)
      else if (free(now) > 0 && busy(after) > busy(now)) end(next, true)
      else if (free(after) === 0) end(next, false)
    }
  }
  const answer: GpuTimeToRent = {
    from,
    to,
    spells: waits.length,
    rented: waits.filter(({ rented }) => rented).length,
    median_hours: null,
    hours: [],
    share: [],
    low: [],
    high: [],
    swept: own.some(({ slot, carried = 0 }) => slot >= from && slot < to && carried > 0),
  }
  let [share, variance] = [1, 0]
  for (const age of [...new Set(waits.filter(({ rented }) => rented).map(({ hours }) => hours))].sort(
    (a, b) => a - b,
  )) {
    const atRisk = waits.filter(({ hours }) => hours >= age).length
    const rented = waits.filter(({ hours, rented }) => rented && hours === age).length
    share *= 1 - rented / atRisk
    if (rented < atRisk) variance += rented / (atRisk * (atRisk - rented))
    answer.hours.push(age)
    answer.share.push(share)
    answer.low.push(Math.max(0, share - 1.96 * share * Math.sqrt(variance)))
    answer.high.push(Math.min(1, share + 1.96 * share * Math.sqrt(variance)))
    if (share <= 0.5 && answer.median_hours === null) answer.median_hours = age
  }
  return answer
}
