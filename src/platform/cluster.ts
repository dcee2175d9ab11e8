import { type ClickHouse, type ClickHouseAddress, selectRows } from './clickhouse.ts'
import { loadSql } from './sql.ts'

export interface Found {
  /** Which schema is there; empty when none is. */
  version: string
}

/** What is in the database. Throws an Error that says what to mend when its tables were made for another way of running. */
export async function findSchema(
  clickhouse: ClickHouse,
  { cluster, database }: ClickHouseAddress,
): Promise<Found> {
  const tables = await selectRows<{ name: string; engine: string; comment: string }>(
    clickhouse,
    `SELECT name, engine, comment FROM system.tables WHERE database = {database:String} AND name IN ('cube', 'bucket_rows')`,
    { database },
  )
  const cube = tables.find(({ name }) => name === 'cube')
  if (cube && (cube.engine === 'Distributed') !== (cluster !== undefined))
    throw new Error(
      cluster
        ? `ClickHouse's database ${database} holds the tables of a single server. A cluster needs another CLICKHOUSE_DATABASE (docs/cluster.md)`
        : `ClickHouse's database ${database} is spread over a cluster: CLICKHOUSE_CLUSTER must name it`,
    )
  return { version: tables.find(({ name }) => name === 'bucket_rows')?.comment ?? '' }
}

/** How many shards there are; 1 without a cluster. Throws an Error that says what to mend when the tables can't live on the cluster. */
export async function shardsOf(clickhouse: ClickHouse, { cluster }: ClickHouseAddress): Promise<number> {
  if (!cluster) return 1
  const [found] = await selectRows<{ shards: number; unreplicated: number }>(
    clickhouse,
    loadSql('clickhouse/queries/cluster_shards'),
    { cluster },
  )
  if (!found || found.shards === 0)
    throw new Error(`ClickHouse knows no cluster ${cluster} (CLICKHOUSE_CLUSTER)`)
  if (found.unreplicated > 0)
    throw new Error(
      `The shards of cluster ${cluster} need <internal_replication>true</internal_replication>: the tables replicate themselves`,
    )
  return found.shards
}
