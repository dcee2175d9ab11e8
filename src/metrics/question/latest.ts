import type { MarketFilter } from '../../../contract/filter-fields.ts'
import type { GpuHistory } from '../../../contract/history.ts'
import { filterOf } from '../../../contract/market-filter.ts'
import { openReadCache } from '../../../platform/read-cache.ts'
import { type ClickHouse, selectRows } from '../../../platform/stores/clickhouse.ts'
import { loadSql } from '../../../platform/stores/sql-files.ts'

/** A row of history/latest.sql: the performance of a GPU at one slot. */
export type Latest = { gpu_name: string } & GpuHistory['stats']

interface AtSlot {
  /** Of the series. */
  revision: number
  slot: number
  filter: MarketFilter
  /** Of GPUs; none: all of them. */
  names: readonly string[]
}

/** The performance of GPUs at a slot, at a revision of the series, over the machines that pass a filter. */
export type LatestAt = (of: AtSlot) => Promise<readonly Latest[]>

/** Reads it once for all questions of the same slot and names. At most some 5 MB are kept. */
export function openLatest(clickhouse: ClickHouse): LatestAt {
  const query = loadSql('clickhouse/queries/history/latest')
  const cache = openReadCache<string, Latest[], Record<string, string | number | readonly string[]>>({
    max: 1000,
    fetchMethod: (_key, _stale, { context }) => selectRows<Latest>(clickhouse, query, context),
  })
  return ({ revision, slot, filter, names }) => {
    const parameters = { slot, names, ...filterOf(filter) }
    return cache.forceFetch(`${revision} ${JSON.stringify(parameters)}`, { context: parameters })
  }
}
