import { type ClickHouse, execute, selectRows } from '../platform/stores/clickhouse.ts'
import { countShards } from '../platform/stores/cluster.ts'
import { loadSql } from '../platform/stores/sql-files.ts'

/** A GPU name: its hash, and the number of its observations. */
interface NamedRows {
  hash: string
  rows: number
}

/** Observations on a shard. */
export interface ShardRows {
  /** Its number, from 1. */
  shard: number
  /** Its weight in the cluster: 1, unless the configuration gives another one. */
  weight: number
  rows: number
}

// A market has some hundred names. Each table repeats the list, and rare names balance by their hash.
const most = 1000

/** The shard of each name, from 0: the name with the most rows comes first, and each one goes to the shard with the fewest rows. */
export function placesOf(rows: readonly number[], shards: number): number[] {
  const sums = Array.from({ length: shards }, () => 0)
  return rows.map((count) => {
    const place = sums.indexOf(Math.min(...sums))
    sums[place] = (sums[place] ?? 0) + count
    return place
  })
}

/**
 * Spreads the empty tables of a cluster by the observations that each GPU name has in the database `from`. The list is part of the
 * definition of each table, so all processes and servers place a name alike, and a name that is not in the list, too: by its hash.
 */
export async function placeNames(clickhouse: ClickHouse, from: string): Promise<void> {
  if (!clickhouse.place) return
  const shards = await countShards(clickhouse, clickhouse.place.cluster)
  const names = await selectRows<NamedRows>(clickhouse, 'copy/names', { from, most })
  const hashes = names.map(({ hash }) => BigInt(hash))
  const places = placesOf(
    names.map(({ rows }) => rows),
    shards,
  )
  for (const { name } of await selectRows<{ name: string }>(clickhouse, 'copy/spread_tables'))
    await placeNamesOf(clickhouse, name, { hashes, places, shards })
}

/** Spreads one empty table of a cluster by a list of GPU names. */
export const placeNamesOf = (
  clickhouse: ClickHouse,
  table: string,
  parameters: { hashes: readonly bigint[]; places: readonly number[]; shards: number },
): Promise<void> =>
  execute(clickhouse, loadSql('clickhouse/queries/copy/place_names').replaceAll('$table', table), parameters)

/** The observations on each shard of a cluster; none on a single server. */
export const shardBalance = async (clickhouse: ClickHouse): Promise<ShardRows[]> =>
  clickhouse.place ? selectRows(clickhouse, 'copy/balance', { cluster: clickhouse.place.cluster }) : []
