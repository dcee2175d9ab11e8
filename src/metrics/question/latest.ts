import type { MarketFilter } from '../../../contract/filter-fields.ts'
import type { GpuHistory } from '../../../contract/history.ts'
import { filterOf } from '../../../contract/market-filter.ts'
import { openReadCache } from '../../../platform/read-cache.ts'
import { type ClickHouse, selectRows } from '../../../platform/stores/clickhouse.ts'
import { loadSql } from '../../../platform/stores/sql-files.ts'

/** A row of history/latest.sql: the performance of a GPU at one slot. */
export type Latest = { gpu_name: string } & GpuHistory['stats']

/** The performance of every GPU at a slot, at a revision of the series, over the machines that pass a filter. */
export type LatestAt = (revision: number, slot: number, filter: MarketFilter) => Promise<readonly Latest[]>

/** Reads it once for all questions that end at the same slot, which most do: at the newest one. At most some 5 MB are kept. */
export function openLatest(clickhouse: ClickHouse): LatestAt {
  const query = loadSql('clickhouse/queries/history/latest')
  const cache = openReadCache<string, Latest[], Record<string, string | number>>({
    max: 1000,
    fetchMethod: (_key, _stale, { context }) => selectRows<Latest>(clickhouse, query, context),
  })
  return (revision, slot, filter) => {
    const parameters = { slot, ...filterOf(filter) }
    return cache.forceFetch(`${revision} ${JSON.stringify(parameters)}`, { context: parameters })
  }
}
