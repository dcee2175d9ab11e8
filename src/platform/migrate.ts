import { type ClickHouse, type ClickHouseAddress, execute, openClickHouse } from './clickhouse.ts'
import { shardsOf } from './cluster.ts'
import { locks, type Postgres, transaction, withAdvisoryLock } from './postgres.ts'
import { isEmpty, loadSql, migrationNames, textFor } from './sql.ts'

/**
 * Brings both databases to the newest schema. Postgres migrations run once each, in a transaction; ClickHouse DDL has no
 * transactions, so its files are one idempotent statement each and all run every time. Any number of processes may call it.
 * Returns the names of the Postgres migrations that were applied now.
 */
export async function migrate(
  postgres: Postgres,
  clickhouse: ClickHouse,
  address: ClickHouseAddress,
): Promise<string[]> {
  return withAdvisoryLock(postgres, locks.migrate, async () => {
    const applied = await migratePostgres(postgres)
    await migrateClickHouse(clickhouse, address)
    return applied
  })
}

async function migrateClickHouse(clickhouse: ClickHouse, address: ClickHouseAddress): Promise<void> {
  await createDatabase(address)
  const shards = await shardsOf(clickhouse)
  for (const name of migrationNames('clickhouse')) {
    const statement = textFor(loadSql(name), clickhouse.place)
    if (!isEmpty(statement)) await execute(clickhouse, statement, { shards })
  }
}

async function migratePostgres(postgres: Postgres): Promise<string[]> {
  await postgres.query(
    'CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
  )
  const { rows } = await postgres.query<{ name: string }>('SELECT name FROM migrations')
  const done = new Set(rows.map((row) => row.name))
  const missing = migrationNames('postgres').filter((name) => !done.has(name))
  for (const name of missing) {
    await transaction(postgres, async (client) => {
      await client.query(loadSql(name))
      await client.query('INSERT INTO migrations (name) VALUES ($1)', [name])
    })
  }
  return missing
}

// A client bound to a database that doesn't exist yet is refused, so this one statement goes through `default`.
async function createDatabase(address: ClickHouseAddress): Promise<void> {
  const client = openClickHouse({ ...address, database: 'default' })
  try {
    const create = 'CREATE DATABASE IF NOT EXISTS {name:Identifier}/*! ON CLUSTER $cluster*/'
    await execute(client, create, { name: address.database })
  } finally {
    await client.close()
  }
}
