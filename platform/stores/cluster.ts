import { type ClickHouse, type ClickHouseAddress, selectRows } from './clickhouse.ts'
import { one } from './rows.ts'

export interface DatabaseSchema {
  /** How many shards the tables are spread over, as many as there were when they were made; 1 without a cluster. */
  shards: number
  /** Whether the database lists the files that it has applied. */
  hasLedger: boolean
  /** Whether the database has the table `slots`, which every release makes first. */
  hasSlots: boolean
}

/**
 * Looks at the cluster, if there is one, and at what is in the database. Throws an Error that names the way out when the tables cannot be
 * on the cluster, were made without it, or are of no release that this one can bring up to date.
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

/** Databases made before the ledger are taken over as they are, so their tables must be the ones that the first files make. */
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
