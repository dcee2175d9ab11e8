import type { GpuAvailability } from '../../contract/availability.ts'
import type { CurrentGpu } from '../../contract/current.ts'
import type { GpuDepth } from '../../contract/depth.ts'
import type { GpuPrices } from '../../contract/prices.ts'
import type { GpuRevenue } from '../../contract/revenue.ts'
import {
  expectedHistory,
  type HistoryQuery,
  hasMemory,
  type MachineAtSlot,
  memoryOf,
  nearestRank,
} from './history.ts'

export type Filter = Pick<HistoryQuery, 'gpu' | 'verified' | 'hosting' | 'rig' | 'memory'>

interface Priced {
  slot: number
  verified: boolean
  memory: number
  price: number
  gpus: number
  rented: boolean
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
const nano = (price: number) => BigInt(Math.round(price * 1e9))

/** The available and rented GPUs of the machines of one GPU name that pass the filter. */
export const pricedOf = (seen: readonly MachineAtSlot[], filter: Filter, perMachine = 1) =>
  passing(seen, filter)
    .flatMap((one): Priced[] => {
      const { slot, verified, free, price, rented } = one
      const memory = memoryOf(one)
      return [
        ...(free >= perMachine ? [{ slot, verified, memory, price, gpus: free, rented: false }] : []),
        ...rented.map((rental) => ({ slot, verified, memory, ...rental, rented: true })),
      ]
    })
    .filter(({ gpus }) => gpus > 0)

const passing = (seen: readonly MachineAtSlot[], { gpu, verified, hosting, rig, memory = 'all' }: Filter) =>
  seen.filter(
    (one) =>
      one.gpu === gpu &&
      (verified === 'all' || one.verified === (verified === 'yes')) &&
      (hosting === 'all' || one.hosting === hosting) &&
      (rig === 'all' || one.rig === rig) &&
      hasMemory(one, { memory }),
  )

const gpusOf = (priced: readonly Priced[]) => sum(priced.map(({ gpus }) => gpus))

/** True if prices of rented GPUs are shown: in one of the slots they are on at least 5 machines of at least 3 hosts. */
const isShown = (seen: readonly MachineAtSlot[], filter: Filter, slots: readonly number[]): boolean =>
  slots.some((slot) => expectedThin(seen, filter, [slot], true) === false)

/** The revenue of one GPU name. The step is of whole hours. The name must be on the market. */
export function expectedRevenue(
  seen: readonly MachineAtSlot[],
  slots: readonly number[],
  asked: HistoryQuery,
): GpuRevenue {
  const { timestamps } = expectedHistory(seen, slots, asked).pricing
  const bucketOf = (slot: number) => Math.floor(slot / asked.step) * asked.step
  const priced = pricedOf(seen, asked)
  const points = timestamps.map((bucket) => {
    const all = priced.filter(({ slot }) => bucketOf(slot) === bucket)
    const rented = all.filter((one) => one.rented)
    const paid = rented.reduce((total, { price, gpus }) => total + nano(price) * BigInt(gpus), 0n)
    const [allGpus, rentedGpus] = [gpusOf(all), gpusOf(rented)]
    const within = slots.filter((slot) => bucketOf(slot) === bucket)
    const isHidden = rentedGpus > 0 && !isShown(seen, asked, within)
    const value = Number(paid) / 1e9
    return {
      revpag: allGpus === 0 || isHidden ? null : value / allGpus,
      adr: rentedGpus === 0 || isHidden ? null : value / rentedGpus,
      occupancy: allGpus === 0 ? null : rentedGpus / allGpus,
      reason: isHidden ? ('few_hosts' as const) : null,
    }
  })
  return {
    timestamps,
    revpag: points.map(({ revpag }) => revpag),
    adr: points.map(({ adr }) => adr),
    occupancy: points.map(({ occupancy }) => occupancy),
    reason: points.map(({ reason }) => reason),
    slots: timestamps.map((bucket) => slots.filter((slot) => bucketOf(slot) === bucket).length),
  }
}

/** Rented GPUs by price, as a mean of some slots. In an own market only prices of enough machines and hosts are shown. */
function rentedOf(
  seen: readonly MachineAtSlot[],
  filter: Filter,
  { slots, isOwn }: { slots: readonly number[]; isOwn: boolean },
): GpuDepth['rented'] {
  const rentals = pricedOf(seen, filter).filter((one) => one.rented && slots.includes(one.slot))
  if (rentals.length === 0) return { price: [], gpus: [], unpriced: 0, reason: null }
  if (isOwn && !isShown(seen, filter, slots))
    return { price: [], gpus: [], unpriced: gpusOf(rentals) / slots.length, reason: 'few_hosts' }
  const price = [...new Set(rentals.map((one) => one.price))].sort((a, b) => a - b)
  const gpus = price.map((at) => gpusOf(rentals.filter((one) => one.price === at)) / slots.length)
  return { price, gpus, unpriced: 0, reason: null }
}

/** The book of one GPU name at one slot. */
export function expectedDepth(
  seen: readonly MachineAtSlot[],
  slot: number | undefined,
  filter: Filter,
  { wanted, perMachine, isOwn = true }: { wanted: number; perMachine: number; isOwn?: boolean },
): GpuDepth {
  const priced = pricedOf(seen, filter, perMachine).filter((one) => !one.rented && one.slot === slot)
  const price = [...new Set(priced.map((one) => one.price))].sort((a, b) => a - b)
  const slots = slot === undefined ? [] : [slot]
  // Every single GPU, cheapest first.
  const singles = priced
    .flatMap((one) => new Array<number>(one.gpus).fill(one.price))
    .sort((a, b) => a - b)
    .slice(0, wanted)
  const cost = singles.reduce((total, single) => total + nano(single), 0n)
  const marginal_price = singles[wanted - 1]
  return {
    price,
    available: price.map((value) => gpusOf(priced.filter((one) => one.price === value))),
    rented: rentedOf(seen, filter, { slots, isOwn }),
    cheapest:
      marginal_price === undefined ? null : { average_price: Number(cost) / wanted / 1e9, marginal_price },
  }
}

/** The slots of the mean book of some days: whole steps of 6 hours, the last of which has `slot`. */
export function slotsOfBook(slots: readonly number[], slot: number, days: number): number[] {
  const to = slot - (slot % 21_600) + 21_600
  return slots.filter((one) => one >= to - days * 86_400 && one < to)
}

/** The mean of the books of one GPU name at some slots. */
export function expectedMeanDepth(
  seen: readonly MachineAtSlot[],
  slots: readonly number[],
  filter: Filter,
  isOwn = true,
): GpuDepth {
  const priced = pricedOf(seen, filter).filter((one) => !one.rented && slots.includes(one.slot))
  const price = [...new Set(priced.map((one) => one.price))].sort((a, b) => a - b)
  const available = price.map((value) => gpusOf(priced.filter((one) => one.price === value)) / slots.length)
  return { price, available, rented: rentedOf(seen, filter, { slots, isOwn }), cheapest: null }
}

/** The row of one GPU name at the newest slot; undefined when it has fewer than ten GPUs. */
export function expectedCurrent(
  seen: readonly MachineAtSlot[],
  slots: readonly number[],
  filter: Filter,
): CurrentGpu | undefined {
  const newest = Math.max(...slots)
  const { supply_demand, pricing, stats } = expectedHistory(seen, slots, {
    ...filter,
    start: newest,
    end: newest + 1,
    step: 1,
  })
  const last = <Value>(values: readonly Value[]) => values.at(-1)
  const { timestamps: _, bucket_size, ...counts } = supply_demand
  const nowCounts = Object.fromEntries(
    Object.entries(counts).map(([name, values]) => [name, last(values) ?? 0]),
  ) as Record<keyof typeof counts, number>
  if (nowCounts.total_gpus < 10) return undefined
  const priced = pricedOf(seen, filter)
  const percentile = (rented: boolean, slot: number, tenths: number) =>
    nearestRank(
      priced
        .filter((one) => one.rented === rented && one.slot === slot)
        .map(({ price, gpus }) => ({ value: price, weight: gpus })),
      tenths,
    )
  const occupancy = (among: readonly Priced[]) =>
    (100 * gpusOf(among.filter((one) => one.rented))) / gpusOf(among)
  const rentedPrice = (values: readonly (number | null)[]) =>
    isShown(seen, filter, [newest]) ? (last(values) ?? null) : null
  const week = newest - 7 * 86_400
  const before = Math.max(...slots.filter((slot) => slot <= week && slot > week - 3600))
  const [now, then] = [percentile(false, newest, 5), percentile(false, before, 5)]
  return {
    gpu_name: filter.gpu,
    bucket_size,
    ...nowCounts,
    available_gpus: nowCounts.avail_verified_gpus + nowCounts.avail_unverified_gpus,
    usage: occupancy(priced.filter(({ slot }) => slot === newest)),
    usage_30d: occupancy(priced.filter(({ slot }) => slot > newest - 30 * 86_400)),
    price_p10: percentile(false, newest, 1),
    price_p25: percentile(false, newest, 2.5),
    price_median: now,
    price_p75: percentile(false, newest, 7.5),
    price_p90: percentile(false, newest, 9),
    price_thin: expectedThin(seen, filter, [newest], false),
    rented_thin: expectedThin(seen, filter, [newest], true),
    price_change_7d: now === null || then === null ? null : 100 * (now / then - 1),
    rented_p10: rentedPrice(pricing.rented_p10),
    rented_median: rentedPrice(pricing.rented_median),
    rented_p90: rentedPrice(pricing.rented_p90),
    ...stats,
  }
}

/** The heat map of one GPU name, given the edges of its bins. The step is of whole hours. */
export function expectedPrices(
  seen: readonly MachineAtSlot[],
  slots: readonly number[],
  asked: HistoryQuery,
  edges: readonly number[],
): GpuPrices {
  const { timestamps } = expectedHistory(seen, slots, asked).pricing
  const bucketOf = (slot: number) => Math.floor(slot / asked.step) * asked.step
  const priced = pricedOf(seen, asked)
  const bins = Math.max(0, edges.length - 1)
  const binOf = (price: number) =>
    Math.max(0, Math.min(bins - 1, edges.filter((edge) => edge <= price).length - 1))
  const table = <Count>(gpusAt: (bucket: number, bin: number) => Count) =>
    Array.from({ length: bins }, (_, bin) => timestamps.map((bucket) => gpusAt(bucket, bin)))
  const gpusIn = (isRented: boolean, bucket: number) =>
    priced.filter((one) => one.rented === isRented && bucketOf(one.slot) === bucket)
  const slotsOf = (bucket: number) => slots.filter((slot) => bucketOf(slot) === bucket)
  const isHidden = (bucket: number) =>
    gpusIn(true, bucket).length > 0 && !isShown(seen, asked, slotsOf(bucket))
  const inBin = (isRented: boolean, bucket: number, bin: number) =>
    gpusOf(gpusIn(isRented, bucket).filter(({ price }) => binOf(price) === bin))
  return {
    timestamps,
    slots: timestamps.map((bucket) => slotsOf(bucket).length),
    edges: [...edges],
    available: table((bucket, bin) => inBin(false, bucket, bin)),
    rented: table((bucket, bin) => (isHidden(bucket) ? null : inBin(true, bucket, bin))),
    rented_unpriced: timestamps.map((bucket) => (isHidden(bucket) ? gpusOf(gpusIn(true, bucket)) : 0)),
    reason: timestamps.map((bucket) => (isHidden(bucket) ? 'few_hosts' : null)),
  }
}

/** The share of the time in which a number of GPUs of one name was available, and the prices. */
export function expectedAvailability(
  seen: readonly MachineAtSlot[],
  slots: readonly number[],
  asked: HistoryQuery,
  { gpus, price }: { gpus: number; price: number },
): GpuAvailability {
  const { timestamps: hours } = expectedHistory(seen, slots, asked).pricing
  const hourOf = (slot: number) => Math.floor(slot / 3600) * 3600
  const available = pricedOf(seen, asked).filter((one) => !one.rented)
  const atMost = (hour: number, limit: number) =>
    gpusOf(available.filter((one) => hourOf(one.slot) === hour && one.price <= limit)) >=
    gpus * slots.filter((slot) => hourOf(slot) === hour).length
  const hoursAt = (limit: number) => hours.filter((hour) => atMost(hour, limit)).length
  if (hours.length === 0) return { hours: 0, share: null, duration: [] }
  const prices = [...new Set(available.map((one) => one.price))].sort((a, b) => a - b)
  return {
    hours: hours.length,
    share: hoursAt(price) / hours.length,
    duration: Array.from(
      { length: 100 },
      (_, index) => prices.find((limit) => hoursAt(limit) * 100 >= (index + 1) * hours.length) ?? null,
    ),
  }
}

/**
 * True if the prices of some slots come from fewer than 5 machines or 3 hosts. A machine with an unknown host counts as a host of
 * its own.
 */
export function expectedThin(
  seen: readonly MachineAtSlot[],
  filter: Filter,
  slots: readonly number[],
  isRented: boolean,
): boolean | null {
  const among = passing(seen, filter).filter(
    (one) => slots.includes(one.slot) && (isRented ? one.rented.length > 0 : one.free > 0),
  )
  if (among.length === 0) return null
  const hostOf = ({ early, host, machine }: MachineAtSlot) =>
    early || host == null ? `machine ${machine}` : `${host}`
  return new Set(among.map(({ machine }) => machine)).size < 5 || new Set(among.map(hostOf)).size < 3
}
