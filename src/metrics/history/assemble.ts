import { type GpuHistory, gpuHistory } from '../../../contract/history.ts'
import type { Question } from './question.ts'

/** Columns of history/timeline.sql: the points every series of an answer has. */
export interface Timeline {
  start: number[]
  last_slot: number[]
  slots: number[]
}

type Counts = Omit<GpuHistory['supply_demand'], 'timestamps' | 'bucket_size'>
type Prices = Omit<GpuHistory['pricing'], 'timestamps'>
type Stats = GpuHistory['stats']

// The answer's columns are those of its schema (test/real/history-columns.test.ts compares the statements with them).
const { supply_demand, pricing, stats } = gpuHistory.shape
const keysOf = <Shape extends object>(shape: Shape) => Object.keys(shape) as (keyof Shape)[]
const counts = keysOf(supply_demand.omit({ timestamps: true, bucket_size: true }).shape)
const prices = keysOf(pricing.omit({ timestamps: true }).shape)
const figures = keysOf(stats.shape)

/** Columns of history/stored.sql and history/computed.sql; the rows are in any order. */
export type Points = { gpu_name: string[]; start: number[] } & Counts & Prices

/** A row of history/latest.sql. */
export type Latest = { gpu_name: string } & Stats

export interface Found {
  points: Points
  latest: readonly Latest[]
  /** GPUs that the market had in the range, with any filter. */
  seen: readonly string[]
  /** The `start` under which `points` hold each point of the timeline. */
  bucketOf: readonly number[]
}

/**
 * Lines the points up with the timeline: zeros and nulls where a GPU has no row, empty series for a GPU that was not seen.
 * The result has no prototype, so that a GPU may have any name.
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
  for (const { gpu_name, ...latest } of found.latest) {
    const gpu = gpus[gpu_name]
    if (gpu) gpu.stats = latest
  }
  return gpus
}

function emptyHistory(timestamps: number[], bucket_size: number): GpuHistory {
  const filled = <Value>(value: Value) => new Array<Value>(timestamps.length).fill(value)
  return {
    supply_demand: { timestamps, bucket_size, ...(record(counts, () => filled(0)) satisfies Counts) },
    pricing: { timestamps, ...(record(prices, () => filled<number | null>(null)) satisfies Prices) },
    stats: record(figures, () => null),
  }
}

const record = <Key extends string, Value>(keys: readonly Key[], value: () => Value) =>
  Object.fromEntries(keys.map((key) => [key, value()])) as Record<Key, Value>
