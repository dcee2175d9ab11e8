import type { GpuName } from '../../../contract/names.ts'
import { type ClickHouse, selectRows } from '../../../platform/stores/clickhouse.ts'
import type { SeriesQuestion } from './resolve.ts'

interface Source {
  clickhouse: ClickHouse
  /** The GPUs of the revision of the series. */
  names: readonly GpuName[]
}

/**
 * The GPUs that the market had in the range, with any filter: GPUs with rows, GPUs whose first or last slot is in it, and of the
 * GPUs on the market both before and after, the ones that ClickHouse finds. ClickHouse is queried only if the filter leaves one
 * of these without a row.
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
