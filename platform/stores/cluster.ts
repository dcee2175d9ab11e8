import { type ClickHouse, type ClickHouseAddress, selectRows } from './clickhouse.ts'
import { loadSql } from './sql.ts'

export interface Schema {
  /** Empty when there is none. */
  version: string
  /** How many shards the tables are spread over, as many as there were when they were made; 1 without a cluster. */
  shards: number
}

/**
 * Looks at the cluster, if there is one, and at what is in the database. Throws an Error that says what to mend when the tables can't live on
 * the cluster, or were made for another way of running.
 */
export async function findSchema(
  clickhouse: ClickHouse,
  { cluster, database }: ClickHouseAddress,
): Promise<Schema> {
  const shards = cluster ? await shardsOf(clickhouse, cluster) : 1
  const [found] = await selectRows<Schema & { engine: string }>(
    clickhouse,
    loadSql('clickhouse/queries/schema/found'),
    { database },
  )
  if (!found?.engine) return { version: '', shards }
  if ((found.engine === 'Distributed') !== (cluster !== undefined))
    throw new Error(
      cluster
        ? `ClickHouse's database ${database} holds the tables of a single server. A cluster needs another CLICKHOUSE_DATABASE (docs/cluster.md)`
        : `ClickHouse's database ${database} is spread over a cluster: CLICKHOUSE_CLUSTER must name it`,
    )
  return { version: found.version, shards: found.shards || shards }
}

async function shardsOf(clickhouse: ClickHouse, cluster: string): Promise<number> {
  const [found] = await selectRows<{ shards: number; unreplicated: number }>(
    clickhouse,
    loadSql('clickhouse/queries/schema/shards'),
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
