import type { GpuDispersion } from '../../contract/dispersion.ts'
import type { MarketEvent } from '../../contract/events.ts'
import { type MachineAtSlot, nearestRank } from './history.ts'

const [hour, day] = [3600, 86_400]
const hourOf = (slot: number) => Math.floor(slot / hour) * hour

type ExpectedEvent = Omit<MarketEvent, 'gpu_name'>

interface EventQuery {
  gpu: string
  from: number
  to: number
  interval: number
}

const middle = (values: readonly number[]) =>
  nearestRank(
    values.map((value) => ({ value, weight: 1 })),
    5,
  ) ?? Number.NaN

/** The GPUs of one name at each slot of the market, and its medians. */
export function readMarket(seen: readonly MachineAtSlot[], gpu: string) {
  const slots = [...new Set(seen.map(({ slot }) => slot))].sort((a, b) => a - b)
  const group = (keyOf: (slot: number) => number) => {
    const groups = new Map<number, MachineAtSlot[]>()
    for (const one of seen) {
      const key = keyOf(one.slot)
      const found = groups.get(key)
      if (one.gpu !== gpu) continue
      if (found) found.push(one)
      else groups.set(key, [one])
    }
    return groups
  }
  const bySlot = group((slot) => slot)
  const byHour = group(hourOf)
  const rank = (among: readonly MachineAtSlot[] = [], tenths = 5) =>
    nearestRank(
      among.map(({ price, free }) => ({ value: price, weight: free })),
      tenths,
    )
  const sum = (among: readonly MachineAtSlot[] = [], count: (one: MachineAtSlot) => number) =>
    among.reduce((total, one) => total + count(one), 0)
  const rentedOf = ({ rented }: MachineAtSlot) => rented.reduce((total, { gpus }) => total + gpus, 0)
  const medianOf = new Map([...byHour].map(([start, among]) => [start, rank(among)]))
  return {
    slots,
    hours: [...byHour.keys()].sort((a, b) => a - b),
    atSlot: (slot: number) => rank(bySlot.get(slot)),
    inHour: (start: number) => medianOf.get(start) ?? null,
    inBucket: (start: number, step: number, tenths: number) =>
      rank(
        Array.from({ length: step / hour }, (_, index) => byHour.get(start + index * hour) ?? []).flat(),
        tenths,
      ),
    gpus: (slot: number) => sum(bySlot.get(slot), (one) => one.free + rentedOf(one)),
    rented: (slot: number) => sum(bySlot.get(slot), rentedOf),
  }
}

type Market = ReturnType<typeof readMarket>

/** Every event of one GPU name in [from, to), from the definitions of docs/numbers.md. */
export function expectedEvents(
  seen: readonly MachineAtSlot[],
  { gpu, from, to, interval }: EventQuery,
): ExpectedEvent[] {
  const market = readMarket(seen, gpu)
  const inRange = (at: number) => at >= from && at < to
  return [
    ...priceJumps(market, interval),
    ...supplyDrops(market, interval),
    ...highOccupancy(market, interval),
    ...lows(market, Math.floor(Math.min(to, Math.max(...market.slots) + interval) / hour) * hour),
  ].filter(({ at }) => inRange(at))
}

/** Jumps of the available median, in the prices of slots and hours. */
export function priceJumps(
  { slots, atSlot, inHour }: Pick<Market, 'slots' | 'atSlot' | 'inHour'>,
  interval: number,
): ExpectedEvent[] {
  const [first = 0, last = 0] = [slots[0], slots.at(-1)]
  const lnOf = (price: number | null) => (price === null ? null : Math.log(price))
  const known = (values: readonly (number | null)[]) => values.filter((value) => value !== null)
  const levels = new Map<number, number | null>()
  const away = new Map<number, number | null>()
  for (let start = hourOf(first); start <= last; start += hour) {
    const before = known(hoursBefore(start, 24).map((earlier) => lnOf(inHour(earlier))))
    const level = before.length < 12 ? null : middle(before)
    const now = lnOf(inHour(start))
    levels.set(start, level)
    away.set(start, level === null || now === null ? null : now - level)
  }
  const boundsAt = (start: number) => {
    const month = known(hoursBefore(start - day, 28 * 24).map((earlier) => away.get(earlier) ?? null))
    const highest = Math.max(Math.log(1.1), 2 * Math.max(...month))
    const lowest = Math.min(-Math.log(1.1), 2 * Math.min(...month))
    return { sample: month.length, highest, lowest }
  }
  const bounds = new Map(Array.from(levels.keys(), (start) => [start, boundsAt(start)]))
  let before = { slot: Number.NEGATIVE_INFINITY, isOut: false }
  let told = Number.NEGATIVE_INFINITY
  return slots.flatMap((slot) => {
    const [price, level, bound] = [atSlot(slot), levels.get(hourOf(slot)) ?? null, bounds.get(hourOf(slot))]
    if (price === null) return []
    const distance = level === null ? 0 : Math.log(price) - level
    const isOut =
      bound !== undefined && bound.sample >= 336 && (distance > bound.highest || distance < bound.lowest)
    const isSecond = isOut && before.isOut && slot - before.slot <= 3 * interval
    before = { slot, isOut }
    if (!isSecond || level === null || !bound) return []
    const isNew = slot - told > day
    told = slot
    if (!isNew) return []
    const limit = Math.exp(level + (distance > 0 ? bound.highest : bound.lowest))
    return {
      at: slot,
      kind: 'price_jump',
      value: price,
      reference: Math.exp(level),
      limit,
      sample: bound.sample,
    }
  })
}

const hoursBefore = (start: number, hours: number): number[] =>
  Array.from({ length: hours }, (_, index) => start - (index + 1) * hour)

function supplyDrops({ slots, gpus }: Market, interval: number): ExpectedEvent[] {
  const look = (slot: number) => {
    const before = slots.filter((other) => other <= slot - hour).at(-1)
    const isClose = before !== undefined && slot - hour - before <= 3 * interval
    const reference = before === undefined ? 0 : gpus(before)
    return { reference, isDrop: isClose && reference >= 10 && gpus(slot) * 10 <= reference * 8 }
  }
  return slots.flatMap((slot, index) => {
    const { reference, isDrop } = look(slot)
    const before = slots[index - 1]
    const was = before !== undefined && slot - before <= 3 * interval && look(before).isDrop
    if (!isDrop || was) return []
    return { at: slot, kind: 'supply_drop', value: gpus(slot), reference, limit: 0.8 * reference, sample: 1 }
  })
}

function highOccupancy({ slots, gpus, rented }: Market, interval: number): ExpectedEvent[] {
  const share = (slot: number) => rented(slot) / gpus(slot)
  const isHigh = (slot: number) => gpus(slot) >= 10 && rented(slot) * 100 > gpus(slot) * 95
  const there = slots.filter((slot) => gpus(slot) > 0)
  return there.flatMap((slot, index) => {
    const before = there[index - 1]
    if (before === undefined || slot - before > 3 * interval || isHigh(before) || !isHigh(slot)) return []
    return {
      at: slot,
      kind: 'high_occupancy',
      value: share(slot),
      reference: share(before),
      limit: 0.95,
      sample: 1,
    }
  })
}

function lows(market: Market, until: number): ExpectedEvent[] {
  const priced = market.hours.filter((start) => market.inHour(start) !== null)
  const price = (start: number) => market.inHour(start) ?? Number.NaN
  const look = (start: number) => {
    const window = priced.filter((other) => other < start && other >= start - 90 * day)
    const isOld = priced.some((other) => other <= start - 90 * day && other >= start - 91 * day)
    const lowest = Math.min(...window.map(price))
    return { lowest, sample: window.length, isLow: isOld && window.length > 0 && price(start) < lowest }
  }
  return priced
    .filter((start) => start < until)
    .flatMap((start) => {
      const { lowest, sample, isLow } = look(start)
      const was = priced.includes(start - hour) && look(start - hour).isLow
      if (!isLow || was) return []
      return { at: start, kind: 'low_90d', value: price(start), reference: lowest, limit: lowest, sample }
    })
}

/** Dispersion and volatility of one GPU name in the buckets of [from, to), a range of whole buckets. */
export function expectedDispersion(
  seen: readonly MachineAtSlot[],
  { gpu, from, to, step }: { gpu: string; from: number; to: number; step: number },
): GpuDispersion {
  const market = readMarket(seen, gpu)
  const newest = hourOf(Math.max(...market.slots)) + hour
  const starts = Array.from({ length: (to - from) / step }, (_, index) => from + index * step)
  const timestamps = starts.filter((start) =>
    market.slots.some((slot) => slot >= start && slot < start + step),
  )
  const moved = (hours: number) =>
    timestamps.map((start) => {
      const end = Math.min(start + step, newest)
      const prices = Array.from({ length: hours + 1 }, (_, index) => market.inHour(end - (index + 1) * hour))
      if (prices.some((price) => price === null)) return null
      const logs = prices.map((price) => Math.log(price ?? 0))
      return Math.sqrt(
        logs.slice(1).reduce((sum, value, index) => sum + (value - (logs[index] ?? 0)) ** 2, 0),
      )
    })
  return {
    timestamps,
    dispersion: timestamps.map((start) => {
      const [low, median, high] = [1, 5, 9].map((tenths) => market.inBucket(start, step, tenths))
      return low == null || high == null || !median ? null : (high - low) / median
    }),
    volatility_24h: moved(24),
    volatility_7d: moved(168),
  }
}
