import type { GpuHistory } from '../../contract/history.ts'
import type { OwnMachine } from '../api/queries.ts'
import type { Value } from '../charts/spec.ts'
import { pulseOf } from '../gpu/pulse.ts'

/** Where a machine stands in its market. Prices in USD per GPU-hour, shares of 1; null: unknown. */
export interface Standing {
  low: Value
  median: Value
  high: Value
  /** Its price against the median, p10 and p90 of what is available. */
  overMedian: Value
  overLow: Value
  overHigh: Value
  occupancy: Value
  /** USD in 30 days for all of its GPUs: the market's rented median at the market's occupancy. */
  medianEarns: Value
  /** The same at its own price. */
  priceEarns: Value
}

const monthHours = 30 * 24

/** `gpu`: the market of its GPU type; its newest bucket counts. */
export function standingOf({ price, num_gpus }: OwnMachine, gpu: GpuHistory | undefined): Standing {
  const newest = (values: readonly Value[] | undefined) => values?.at(-1) ?? null
  const pricing = gpu?.pricing
  const [low, median, high] = [
    newest(pricing?.avail_p10),
    newest(pricing?.avail_median),
    newest(pricing?.avail_p90),
  ]
  const occupancy = gpu ? pulseOf(gpu).occupancy : null
  const over = (level: Value) => (price === null || !level ? null : price / level - 1)
  const earns = (each: Value) =>
    each === null || occupancy === null ? null : each * num_gpus * occupancy * monthHours
  return {
    low,
    median,
    high,
    overMedian: over(median),
    overLow: over(low),
    overHigh: over(high),
    occupancy,
    medianEarns: earns(newest(pricing?.rented_median)),
    priceEarns: earns(price),
  }
}
