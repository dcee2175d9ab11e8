import { type GpuHistory, gpuHistory } from '../../../contract/history.ts'
import type { Latest } from '../question/latest.ts'
import type { SeriesQuestion } from '../question/resolve.ts'
import type { Timeline } from '../question/timeline.ts'

type Counts = Omit<GpuHistory['supply_demand'], 'timestamps' | 'bucket_size'>
type Prices = Omit<GpuHistory['pricing'], 'timestamps'>

// The answer's columns are those of its schema (test/real/history-columns.test.ts compares the statements with them).
const { supply_demand, pricing, stats } = gpuHistory.shape
const keysOf = <Shape extends object>(shape: Shape) => Object.keys(shape) as (keyof Shape)[]
const counts = keysOf(supply_demand.omit({ timestamps: true, bucket_size: true }).shape)
const prices = keysOf(pricing.omit({ timestamps: true }).shape)
const figures = keysOf(stats.shape)

/** Rows of a statement, column by column, in any order. `start` finds the point of the timeline. */
export type Rows = { gpu_name: string[]; start: number[] } & Partial<Counts & Prices>

export interface Found {
  /** They may share the columns: history/counts.sql has the counts and history/prices.sql the prices. */
  points: readonly Rows[]
  latest: readonly Latest[]
  /** GPUs that the market had in the range, with any filter. */
  seen: ReadonlySet<string>
  /** The `start` under which `points` hold each point of the timeline. */
  bucketOf: readonly number[]
}

/**
 * Lines the points up with the timeline: zeros and nulls where a GPU has no row, empty series for a GPU that was not seen.
 * The result has no prototype, so that a GPU may have any name.
 */
export function assemble(
  question: SeriesQuestion,
  timeline: Timeline,
  found?: Found,
): Record<string, GpuHistory> {
  const gpus: Record<string, GpuHistory> = Object.create(null)
  const bucketSize = Math.max(1, question.num_gpus)
  for (const name of question.names)
    gpus[name] = emptyHistory(found?.seen.has(name) ? timeline.start : [], bucketSize)
  if (!found) return gpus

  const indexOf = new Map(found.bucketOf.map((bucket, index) => [bucket, index]))
  for (const rows of found.points) place(rows, gpus, indexOf)
  for (const { gpu_name, ...latest } of found.latest) {
    const gpu = gpus[gpu_name]
    if (gpu) gpu.stats = latest
  }
  return gpus
}

// Column by column, which takes half the time of row by row.
function place(rows: Rows, gpus: Record<string, GpuHistory>, indexOf: ReadonlyMap<number, number>): void {
  const targets = rows.gpu_name.map((name) => gpus[name])
  const indexes = rows.start.map((start) => indexOf.get(start) ?? -1)
  const fill = <Value>(source: Value[] | undefined, target: (gpu: GpuHistory) => Value[]) =>
    source?.forEach((value, row) => {
      const gpu = targets[row]
      const index = indexes[row] ?? -1
      if (gpu && index >= 0) target(gpu)[index] = value
    })
  for (const column of counts) fill(rows[column], (gpu) => gpu.supply_demand[column])
  for (const column of prices) fill(rows[column], (gpu) => gpu.pricing[column])
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
