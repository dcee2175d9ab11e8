import { type ClickHouse, type ClickHouseAddress, selectRows } from './clickhouse.ts'
import { one } from './rows.ts'

export interface DatabaseSchema {
  /** The expression that names the shard of a GPU name, as all tables of the database have it. */
  sharding: string
  /** True if the database lists its applied files. */
  hasLedger: boolean
  /** True if a table lacks a column of the last release. */
  isTooOld: boolean
}

interface SchemaRow {
  engine: string
  has_ledger: number
  is_too_old: number
  sharding: string
  shardings: number
}

/**
 * Inspects the cluster, if there is one, and the content of the database. Throws an Error that names the way out when the tables cannot be
 * on the cluster, or were made without it.
 */
export async function findSchema(
  clickhouse: ClickHouse,
  { cluster, database }: ClickHouseAddress,
): Promise<DatabaseSchema> {
  const shards = cluster ? await countShards(clickhouse, cluster) : 1
  const found = one(await selectRows<SchemaRow>(clickhouse, 'schema/found', { database }))
  const hasLedger = found.has_ledger === 1
  const isTooOld = found.is_too_old === 1
  const sharding = found.sharding || `cityHash64(gpu_name) % _CAST(${shards}, 'UInt16')`
  if (found.engine === '') return { sharding, hasLedger, isTooOld }
  if ((found.engine === 'Distributed') !== (cluster !== undefined))
    throw new Error(
      cluster
        ? `ClickHouse's database ${database} holds the tables of a single server. A cluster needs another CLICKHOUSE_DATABASE (docs/cluster.md)`
        : `ClickHouse's database ${database} is spread over a cluster: CLICKHOUSE_CLUSTER must name it`,
    )
  if (found.shardings > 1)
    throw new Error(
      `ClickHouse's database ${database} spreads its tables in ${found.shardings} ways, since a copy into it was ended. Drop it, and copy again (docs/cluster.md)`,
    )
  return { sharding, hasLedger, isTooOld }
}

/** The number of shards of a cluster, by their weights. */
export async function countShards(clickhouse: ClickHouse, cluster: string): Promise<number> {
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
