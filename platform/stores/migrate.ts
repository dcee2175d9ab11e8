import { createHash } from 'node:crypto'
import { ClickHouseError } from '@clickhouse/client'
import { type ClickHouse, type ClickHouseAddress, execute, openClickHouse } from './clickhouse.ts'
import { findSchema } from './cluster.ts'
import { locks, type Postgres, transaction, withAdvisoryLock } from './postgres.ts'
import { noteRetention, type Retention, setRetention } from './retention.ts'
import { isEmpty, loadSql, migrationNames, textFor } from './sql.ts'

export interface MigrateOptions {
  /** How long observations are kept. */
  retention?: Retention
  /** Runs ClickHouse's statements also when they have been run. */
  again?: boolean
}

/**
 * Brings both databases to the newest schema. Postgres migrations run once each, in a transaction; ClickHouse DDL has no
 * transactions, so its files are one idempotent statement each, and all run when one is new. Any number of processes may call it.
 * Returns the names of the Postgres migrations that were applied now.
 */
export async function migrate(
  postgres: Postgres,
  clickhouse: ClickHouse,
  address: ClickHouseAddress,
  { retention, again = false }: MigrateOptions = {},
): Promise<string[]> {
  return withAdvisoryLock(postgres, locks.migrate, async () => {
    const applied = await migratePostgres(postgres)
    const statements = migrationNames('clickhouse')
      .map((name) => textFor(loadSql(name), clickhouse.place))
      .filter((statement) => !isEmpty(statement))
    const hash = createHash('sha256').update(JSON.stringify([statements, retention]))
    const version = `schema ${hash.digest('hex').slice(0, 16)}`
    // Whoever may only read, or finds a server of the cluster away, can start when there is nothing to do.
    const found = await throughDefault(address, (client) => findSchema(client, address))
    if (found.version === version && !again) {
      await noteRetention(postgres, retention) // a Postgres out of a backup may not know it
      return applied
    }
    try {
      await createDatabase(address)
      for (const statement of statements) await execute(clickhouse, statement, { shards: found.shards })
      await setRetention({ postgres, clickhouse }, retention)
      const done = `ALTER TABLE /*!$database.*/bucket_rows/*! ON CLUSTER $cluster*/ MODIFY COMMENT '${version}'`
      await execute(clickhouse, done)
    } catch (error) {
      if (!(error instanceof ClickHouseError && error.type === 'ACCESS_DENIED')) throw error
      const message = `ClickHouse's account ${address.username} may not bring the schema up to date: run \`rackrate migrate\` with one that may`
      throw new Error(message, { cause: error })
    }
    return applied
  })
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

/** A client that is bound to a database that doesn't exist yet is refused, so what comes first goes through `default`. */
export async function throughDefault<T>(
  address: ClickHouseAddress,
  work: (client: ClickHouse) => Promise<T>,
): Promise<T> {
  const client = openClickHouse({ ...address, database: 'default' })
  try {
    return await work(client)
  } finally {
    await client.close()
  }
}

const createDatabase = (address: ClickHouseAddress): Promise<void> =>
  throughDefault(address, (client) =>
    execute(client, 'CREATE DATABASE IF NOT EXISTS {name:Identifier}/*! ON CLUSTER $cluster*/', {
      name: address.database,
    }),
  )
