import type { GpuHistory } from '../../../contract/history.ts'
import type { Question } from './question.ts'

/** Columns of history/timeline.sql: the points every series of an answer has. */
export interface Timeline {
  start: number[]
  last_slot: number[]
  slots: number[]
}

const counts = [
  'total',
  'available',
  'rented_verified',
  'avail_verified',
  'rented_unverified',
  'avail_unverified',
  'total_gpus',
  'rented_verified_gpus',
  'avail_verified_gpus',
  'rented_unverified_gpus',
  'avail_unverified_gpus',
] as const

const prices = [
  'rented_p10',
  'rented_median',
  'rented_p90',
  'avail_p10',
  'avail_median',
  'avail_p90',
] as const

/** Columns of history/stored.sql and history/computed.sql, in no order. */
export type Points = { gpu_name: string[]; start: number[] } & Record<(typeof counts)[number], number[]> &
  Record<(typeof prices)[number], (number | null)[]>

export type Latest = { gpu_name: string } & GpuHistory['stats']

export interface Found {
  points: Points
  latest: readonly Latest[]
  /** GPUs that the market had in the range, whatever the filter. */
  seen: readonly string[]
  /** The `start` under which `points` hold each point of the timeline. */
  bucketOf: readonly number[]
}

/**
 * Lines the points up with the timeline: zeros and nulls where a GPU has nothing, empty series for a GPU that was not seen.
 * The result has no prototype, so no name can be anything but a name.
 */
export function assemble(question: Question, timeline: Timeline, found?: Found): Record<string, GpuHistory> {
  const gpus: Record<string, GpuHistory> = Object.create(null)
  const bucketSize = Math.max(1, question.num_gpus)
  const seen = new Set(found?.seen)
  for (const name of question.names)
    gpus[name] = emptyHistory(seen.has(name) ? timeline.start : [], bucketSize)
  if (!found) return gpus

  const { points } = found
  const indexOf = new Map(found.bucketOf.map((bucket, index) => [bucket, index]))
  for (let row = 0; row < points.start.length; row += 1) {
    const index = indexOf.get(points.start[row] as number)
    const gpu = gpus[points.gpu_name[row] as string]
    if (index === undefined || gpu === undefined || gpu.pricing.timestamps.length === 0) continue
    for (const column of counts) gpu.supply_demand[column][index] = points[column][row] as number
    for (const column of prices) gpu.pricing[column][index] = points[column][row] as number | null
  }
  for (const { gpu_name, ...stats } of found.latest) {
    const gpu = gpus[gpu_name]
    if (gpu) gpu.stats = stats
  }
  return gpus
}

function emptyHistory(timestamps: number[], bucketSize: number): GpuHistory {
  const zeros = () => new Array<number>(timestamps.length).fill(0)
  const nulls = () => new Array<number | null>(timestamps.length).fill(null)
  return {
    supply_demand: {
      timestamps,
      bucket_size: bucketSize,
      total: zeros(),
      available: zeros(),
      rented_verified: zeros(),
      avail_verified: zeros(),
      rented_unverified: zeros(),
      avail_unverified: zeros(),
      total_gpus: zeros(),
      rented_verified_gpus: zeros(),
      avail_verified_gpus: zeros(),
      rented_unverified_gpus: zeros(),
      avail_unverified_gpus: zeros(),
    },
    pricing: {
      timestamps,
      rented_p10: nulls(),
      rented_median: nulls(),
      rented_p90: nulls(),
      avail_p10: nulls(),
      avail_median: nulls(),
      avail_p90: nulls(),
    },
    stats: { tflops: null, dlperf: null, tflops_per_dollar: null, dlperf_per_dollar: null },
  }
}
