import { type ClickHouse, type ClickHouseAddress, selectRows } from './clickhouse.ts'
import { one } from './rows.ts'

export interface DatabaseSchema {
  /** Number of shards when the tables were created; 1 without a cluster. */
  shards: number
  /** True if the database lists its applied files. */
  hasLedger: boolean
  /** True if a table lacks a column of the last release. */
  isTooOld: boolean
}

/**
 * Inspects the cluster, if there is one, and the content of the database. Throws an Error that names the way out when the tables cannot be
 * on the cluster, or were made without it.
 */
export async function findSchema(
  clickhouse: ClickHouse,
  { cluster, database }: ClickHouseAddress,
): Promise<DatabaseSchema> {
  const shards = cluster ? await shardsOf(clickhouse, cluster) : 1
  const found = one(
    await selectRows<{ engine: string; has_ledger: number; is_too_old: number; shards: number }>(
      clickhouse,
      'schema/found',
      { database },
    ),
  )
  const hasLedger = found.has_ledger === 1
  const isTooOld = found.is_too_old === 1
  if (found.engine === '') return { shards, hasLedger, isTooOld }
  if ((found.engine === 'Distributed') !== (cluster !== undefined))
    throw new Error(
      cluster
        ? `ClickHouse's database ${database} holds the tables of a single server. A cluster needs another CLICKHOUSE_DATABASE (docs/cluster.md)`
        : `ClickHouse's database ${database} is spread over a cluster: CLICKHOUSE_CLUSTER must name it`,
    )
  return { shards: found.shards || shards, hasLedger, isTooOld }
}

async function shardsOf(clickhouse: ClickHouse, cluster: string): Promise<number> {
  const found = one(
    await selectRows<{ shards: number; unreplicated: number }>(clickhouse, 'schema/shards', { cluster }),
  )
  if (found.shards === 0) throw new Error(`ClickHouse knows no cluster ${cluster} (CLICKHOUSE_CLUSTER)`)
  if (found.unreplicated > 0)
    throw new Error(
      `The shards of cluster ${cluster} need <internal_replication>true</internal_replication>: the tables replicate themselves`,
    )
  return found.shards
}
