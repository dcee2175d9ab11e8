import { type ClickHouse, selectRows } from './clickhouse.ts'
import { loadSql } from './sql.ts'

/**
 * How many shards the tables are spread over; 1 without a cluster. Throws an Error that says what to mend when the cluster isn't one that
 * the tables can live on, or when they were made for another way of running.
 */
export async function shardsOf(clickhouse: ClickHouse): Promise<number> {
  const { place } = clickhouse
  const [found] = await selectRows<{ engine: string }>(
    clickhouse,
    `SELECT engine FROM system.tables WHERE database = currentDatabase() AND name = 'cube'`,
  )
  if (found && (found.engine === 'Distributed') !== (place !== undefined))
    throw new Error(
      place
        ? 'The ClickHouse database holds the tables of a single server. Give a cluster another CLICKHOUSE_DATABASE (docs/cluster.md)'
        : 'The ClickHouse database is spread over a cluster: CLICKHOUSE_CLUSTER must name it',
    )
  if (!place) return 1
  const [cluster] = await selectRows<{ shards: number; unreplicated: number }>(
    clickhouse,
    loadSql('clickhouse/queries/cluster_shards'),
    { cluster: place.cluster },
  )
  if (!cluster || cluster.shards === 0)
    throw new Error(`ClickHouse knows no cluster ${place.cluster} (CLICKHOUSE_CLUSTER)`)
  if (cluster.unreplicated > 0)
    throw new Error(
      `The shards of cluster ${place.cluster} need <internal_replication>true</internal_replication>: the tables replicate themselves`,
    )
  return cluster.shards
}
