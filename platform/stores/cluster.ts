import { type ClickHouse, type ClickHouseAddress, selectRows } from './clickhouse.ts'
import { one } from './rows.ts'

export interface DatabaseSchema {
  /** Number of shards when the tables were created; 1 without a cluster. */
  shards: number
  /** True if the database lists its applied files. */
  hasLedger: boolean
  /** True if the database has the table `slots`, which every release creates first. */
  hasSlots: boolean
}

/**
 * Reads the cluster, if there is one, and the schema of the database. Throws an Error that names the way out when the tables
 * cannot be on the cluster, were created without it, or belong to a release that this one cannot upgrade.
 */
export async function findSchema(
  clickhouse: ClickHouse,
  { cluster, database }: ClickHouseAddress,
): Promise<DatabaseSchema> {
  const shards = cluster ? await shardsOf(clickhouse, cluster) : 1
  const found = one(
    await selectRows<{ engine: string; has_ledger: number; has_slots: number; shards: number }>(
      clickhouse,
      'schema/found',
      { database },
    ),
  )
  const hasLedger = found.has_ledger === 1
  const hasSlots = found.has_slots === 1
  if (found.engine === '') return { shards, hasLedger, hasSlots }
  if ((found.engine === 'Distributed') !== (cluster !== undefined))
    throw new Error(
      cluster
        ? `ClickHouse's database ${database} holds the tables of a single server. A cluster needs another CLICKHOUSE_DATABASE (docs/cluster.md)`
        : `ClickHouse's database ${database} is spread over a cluster: CLICKHOUSE_CLUSTER must name it`,
    )
  if (!hasLedger) await expectKnownTables(clickhouse, database)
  return { shards: found.shards || shards, hasLedger, hasSlots }
}

/** Databases from before the ledger are accepted if their tables are the ones that the first files create. */
async function expectKnownTables(clickhouse: ClickHouse, database: string): Promise<void> {
  const unknown = await selectRows<{ table: string }>(clickhouse, 'schema/unknown_tables', { database })
  if (unknown.length > 0)
    throw new Error(
      `ClickHouse's database ${database} was made by an unknown release: columns are missing in ${unknown.map(({ table }) => table).join(', ')}. Use another CLICKHOUSE_DATABASE`,
    )
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
