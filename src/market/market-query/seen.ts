import type { GpuName } from '../../../contract/names.ts'
import { type ClickHouse, selectRows } from '../../../platform/stores/clickhouse.ts'
import type { SeriesQuestion } from './resolve.ts'

interface Source {
  clickhouse: ClickHouse
  /** The GPU names at the present revision of the series. */
  names: readonly GpuName[]
}

/**
 * The GPUs that were on the market in the range, regardless of filters: GPUs with rows, and GPUs whose first or last slot is in the range. For a GPU
 * without rows that was on the market before and after the range, ClickHouse is queried.
 */
export async function seenOf(
  { clickhouse, names }: Source,
  { known, from, to }: SeriesQuestion,
  { withRows, stored_step }: { withRows: Iterable<string>; stored_step: number },
): Promise<Set<string>> {
  const seen = new Set(withRows)
  const within = (time: number) => time >= from && time < to
  const unclear: string[] = []
  for (const { name, first_seen, last_seen } of names) {
    if (seen.has(name) || !known.includes(name)) continue
    if (within(first_seen) || within(last_seen)) seen.add(name)
    else if (first_seen < from && last_seen >= to) unclear.push(name)
  }
  if (unclear.length === 0) return seen
  const query = 'history/seen'
  const parameters = { names: unclear, stored_step, from, to }
  const rows = await selectRows<{ gpu_name: string }>(clickhouse, query, parameters)
  for (const { gpu_name } of rows) seen.add(gpu_name)
  return seen
}
