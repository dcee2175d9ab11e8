import { LRUCache } from 'lru-cache'
import type { GpuHistory } from '../../../contract/history.ts'
import { type ClickHouse, selectRows } from '../../../platform/stores/clickhouse.ts'
import { loadSql } from '../../../platform/stores/sql-files.ts'
import type { SeriesQuestion } from './resolve.ts'

/** A row of history/latest.sql: the performance of a GPU at one slot. */
export type Latest = { gpu_name: string } & GpuHistory['stats']

/** The performance of every GPU at a slot, at a revision of the series, over the machines that pass a filter. */
export type LatestAt = (
  revision: number,
  slot: number,
  filter: Pick<SeriesQuestion, 'verified' | 'hosting_type' | 'num_gpus'>,
) => Promise<readonly Latest[]>

/** Reads it once for all questions that end at the same slot, which most do: at the newest one. At most some 5 MB are kept. */
export function openLatest(clickhouse: ClickHouse): LatestAt {
  const query = loadSql('clickhouse/queries/history/latest')
  const cache = new LRUCache<string, Latest[], Record<string, string | number>>({
    max: 1000,
    fetchMethod: (_key, _stale, { context }) => selectRows<Latest>(clickhouse, query, context),
  })
  return (revision, slot, { verified, hosting_type, num_gpus }) => {
    const parameters = { slot, verified, hosting_type, num_gpus }
    return cache.forceFetch(`${revision} ${JSON.stringify(parameters)}`, { context: parameters })
  }
}
