import type { GpuHistory } from '../../contract/history.ts'

/** The state of one machine at one slot, before anything is counted. */
export interface MachineAtSlot {
  slot: number
  machine: number
  gpu: string
  rig: number
  verified: boolean
  hosting: 'community' | 'secure_cloud'
  /** Free GPUs and their price, and rented ones. */
  free: number
  price: number
  rented: { gpus: number; price: number; type?: string }[]
  tflops: number
  dlperf: number
  /** Account, country, MB, the smallest part that can be rented, and whether the slot was spooled without them. */
  host?: number | null
  country?: string
  ram?: number | null
  least?: number | null
  /** Terms of the listing as the observations have them. */
  terms?: string
  /** The specs of the machine, as in the observations. */
  specs?: string
  /** Seconds since the machine was seen, where the slot has not seen it itself. */
  carried?: number
  tier?: 'unknown' | 'verified' | 'unverified' | 'deverified'
  early?: boolean
}

export interface HistoryQuery {
  gpu: string
  verified: 'yes' | 'no' | 'all'
  hosting: 'all' | 'secure_cloud' | 'community'
  rig: number | 'all'
  /** GB per GPU. */
  memory?: number | 'all'
  start: number
  end: number
  step: number
}

/** The memory of a GPU of a machine, GB; 0: it was not recorded. Sizes of the tests are whole GB. */
export const memoryOf = ({ ram, early }: MachineAtSlot): number => (early || !ram ? 0 : ram / 1024)
export const hasMemory = (one: MachineAtSlot, { memory = 'all' }: { memory?: number | 'all' }): boolean =>
  memory === 'all' || memoryOf(one) === memory

/** The smallest value such that at least the share p of the weight is at or below it. p in tenths, so that nothing is rounded. */
export function nearestRank(
  values: readonly { value: number; weight: number }[],
  tenths: number,
): number | null {
  const sorted = values.filter(({ weight }) => weight > 0).sort((a, b) => a.value - b.value)
  const total = sorted.reduce((sum, { weight }) => sum + weight, 0)
  let below = 0
  for (const { value, weight } of sorted) {
    below += weight
    if (below * 10 >= total * tenths) return value
  }
  return null
}

/** The history of one GPU by the definitions of docs/numbers.md, as plainly as they can be computed. `slots`: every slot of the market. */
export function expectedHistory(
  seen: readonly MachineAtSlot[],
  slots: readonly number[],
  asked: HistoryQuery,
): GpuHistory {
  const { step, start, end } = asked
  const bucketOf = (slot: number) => Math.floor(slot / step) * step
  const inRange = (slot: number) => bucketOf(slot) < Math.max(end, start + 1) && bucketOf(slot) + step > start
  const timeline = [...new Set(slots.filter(inRange).map(bucketOf))].sort((a, b) => a - b)
  // A machine that is neither listed nor rented is not on the market: it doesn't make its type a seen one.
  const onMarket = (one: MachineAtSlot) => one.free > 0 || one.rented.length > 0
  const all = seen.filter((one) => one.gpu === asked.gpu && inRange(one.slot) && onMarket(one))
  const passing = all.filter(
    (one) =>
      (asked.verified === 'all' || one.verified === (asked.verified === 'yes')) &&
      (asked.hosting === 'all' || one.hosting === asked.hosting) &&
      (asked.rig === 'all' || one.rig === asked.rig) &&
      hasMemory(one, asked),
  )
  const starts = all.length > 0 ? timeline : []
  const lastSlot = (bucket: number) => Math.max(...slots.filter((slot) => bucketOf(slot) === bucket))
  const count = (what: (one: MachineAtSlot) => number) =>
    starts.map((bucket) =>
      passing.filter((one) => one.slot === lastSlot(bucket)).reduce((sum, one) => sum + what(one), 0),
    )
  const price = (kind: (one: MachineAtSlot) => { gpus: number; price: number }[], tenths: number) =>
    starts.map((bucket) =>
      percentile(passing.filter((one) => bucketOf(one.slot) === bucket).flatMap(kind), tenths),
    )

  const rentedGpus = (one: MachineAtSlot) => one.rented.reduce((sum, { gpus }) => sum + gpus, 0)
  const isRented = (one: MachineAtSlot) => (one.free === 0 && rentedGpus(one) > 0 ? 1 : 0)
  const isFree = (one: MachineAtSlot) => (one.free > 0 ? 1 : 0)
  const yes = (what: (one: MachineAtSlot) => number) => count((one) => (one.verified ? what(one) : 0))
  const no = (what: (one: MachineAtSlot) => number) => count((one) => (one.verified ? 0 : what(one)))
  const freeOf = (one: MachineAtSlot) => (one.free > 0 ? [{ gpus: one.free, price: one.price }] : [])
  const rentedOf = (one: MachineAtSlot) => one.rented

  return {
    supply_demand: {
      timestamps: starts,
      bucket_size: asked.rig === 'all' ? 1 : asked.rig,
      total: count((one) => isFree(one) + isRented(one)),
      available: count(isFree),
      rented_verified: yes(isRented),
      avail_verified: yes(isFree),
      rented_unverified: no(isRented),
      avail_unverified: no(isFree),
      total_gpus: count((one) => one.free + rentedGpus(one)),
      rented_verified_gpus: yes(rentedGpus),
      avail_verified_gpus: yes((one) => one.free),
      rented_unverified_gpus: no(rentedGpus),
      avail_unverified_gpus: no((one) => one.free),
    },
    pricing: {
      timestamps: starts,
      rented_p10: price(rentedOf, 1),
      rented_median: price(rentedOf, 5),
      rented_p90: price(rentedOf, 9),
      avail_p10: price(freeOf, 1),
      avail_median: price(freeOf, 5),
      avail_p90: price(freeOf, 9),
    },
    stats: latestStats(passing.filter((one) => one.slot === Math.max(...slots.filter(inRange)))),
  }
}

const percentile = (prices: { gpus: number; price: number }[], tenths: number) =>
  nearestRank(
    prices.map(({ gpus, price }) => ({ value: price, weight: gpus })),
    tenths,
  )

function latestStats(latest: MachineAtSlot[]): GpuHistory['stats'] {
  const gpus = (one: MachineAtSlot) => one.free + one.rented.reduce((sum, rental) => sum + rental.gpus, 0)
  const p90 = (what: (one: MachineAtSlot) => number) =>
    nearestRank(
      latest.map((one) => ({ value: what(one), weight: gpus(one) })),
      9,
    )
  const median = nearestRank(
    latest.map((one) => ({ value: one.price, weight: one.free })),
    5,
  )
  const tflops = p90((one) => one.tflops)
  const dlperf = p90((one) => one.dlperf)
  const per = (figure: number | null) => (figure === null || median === null ? null : figure / median)
  return { tflops, dlperf, tflops_per_dollar: per(tflops), dlperf_per_dollar: per(dlperf) }
}
