import { week } from '../../contract/durations.ts'
import type { GpuHistory } from '../../contract/history.ts'
import type { Value } from '../charts/spec.ts'

/** The newest figures of a GPU. Prices in USD per GPU-hour, changes and shares of 1; null: there is none. */
export interface Pulse {
  available: Value
  rented: Trend
  occupancy: Value
  gpus: number
}

export interface Trend {
  median: Value
  /** The change since the same hour seven days earlier; null also if too few machines are rented now or then, since it would fluctuate. */
  week: Value
}

const fewestMachines = 5

/** The rented GPUs of a bucket. */
export const rentedAt = (counts: GpuHistory['supply_demand'], index: number): number =>
  (counts.rented_verified_gpus[index] ?? 0) + (counts.rented_unverified_gpus[index] ?? 0)

/** Reads the newest bucket of a history that reaches 8 days back. */
export function pulseOf({ pricing, supply_demand: counts }: GpuHistory, hasRentals: boolean): Pulse {
  const last = pricing.timestamps.length - 1
  const rented = rentedAt(counts, last)
  const total = counts.total_gpus[last] ?? 0
  return {
    available: pricing.avail_median[last] ?? null,
    rented: trendOf(
      pricing.timestamps,
      pricing.rented_median,
      counts.rented_verified.map((verified, index) => verified + (counts.rented_unverified[index] ?? 0)),
    ),
    occupancy: total > 0 && hasRentals ? rented / total : null,
    gpus: total,
  }
}

function trendOf(times: readonly number[], medians: readonly Value[], machines: readonly number[]): Trend {
  const now = times.length - 1
  const then = times.indexOf((times[now] ?? 0) - week)
  const [median, before] = [medians[now] ?? null, medians[then] ?? null]
  const isThin = Math.min(machines[now] ?? 0, machines[then] ?? 0) < fewestMachines
  return { median, week: median === null || before === null || isThin ? null : median / before - 1 }
}
