import { ClickHouseError } from '@clickhouse/client'
import { type ClickHouse, type ClickHouseAddress, execute, openClickHouse, selectRows } from './clickhouse.ts'
import { findSchema } from './cluster.ts'
import { requireRoom } from './disk.ts'
import { locks, type Postgres, transaction, withAdvisoryLock } from './postgres.ts'
import { type Retention, setRetention } from './retention.ts'
import {
  type AppliedFile,
  clickhouseFiles,
  pendingFiles,
  postgresFiles,
  type SchemaFile,
  tooOld,
} from './schema-files.ts'
import { isEmpty, loadSql, textFor } from './sql-files.ts'

export interface MigrateOptions {
  /** Days that observations are kept. */
  retention?: Retention
  /** Runs all of ClickHouse's files again, for servers that were added to a cluster or replaced. */
  again?: boolean
}

/**
 * Brings both databases to the schema of this release and returns the names of the files that were applied. Any number of processes may
 * call it at once, and the next call completes the work of one that was killed. Throws, with both databases untouched, when either was made by
 * a newer or a too old release, or a file has changed since it was applied.
 */
export async function migrate(
  postgres: Postgres,
  clickhouse: ClickHouse,
  address: ClickHouseAddress,
  { retention, again = false }: MigrateOptions = {},
): Promise<string[]> {
  return withAdvisoryLock(postgres, locks.migrate, async () => {
    const inPostgres = await postgresLedger(postgres)
    const forPostgres = pendingFiles('PostgreSQL', postgresFiles(), inPostgres)
    const { sharding, hasLedger, isTooOld } = await throughDefault(address, (client) =>
      findSchema(client, address),
    )
    const inClickHouse = hasLedger ? await clickhouseLedger(clickhouse) : []
    if (inClickHouse.length === 0 && isTooOld) throw new Error(tooOld('ClickHouse'))
    const forClickHouse = pendingFiles('ClickHouse', clickhouseFiles(), inClickHouse)

    if (inPostgres.length > 0 && forPostgres.length > 0) await refuseUnfinished(postgres)
    await migratePostgres(postgres, forPostgres)
    // A new series has no past.
    if (inPostgres.length === 0 && inClickHouse.length === 0)
      await postgres.query('UPDATE backfills SET todo_before = 0')
    try {
      // When nothing is to be applied, an account that may only read can start, and so can a process while a server of the
      // cluster is unreachable.
      if (again || forClickHouse.length > 0) {
        await createDatabase(address)
        await requireRoom(clickhouse)
        const { database } = address
        await migrateClickHouse(clickhouse, again ? clickhouseFiles() : forClickHouse, { database, sharding })
      }
      await setRetention({ postgres, clickhouse }, retention)
    } catch (error) {
      if (!(error instanceof ClickHouseError && error.type === 'ACCESS_DENIED')) throw error
      const message = `ClickHouse's account ${address.username} may not bring the schema up to date: run \`rackrate migrate\` with one that may`
      throw new Error(message, { cause: error })
    }
    return [...forPostgres, ...forClickHouse].map(({ name }) => name)
  })
}

/** A PostgreSQL of a release before hashes has none: its entries have the hash 'null', which no file has. */
async function postgresLedger(postgres: Postgres): Promise<AppliedFile[]> {
  const { rowCount } = await postgres.query(`SELECT WHERE to_regclass('migrations') IS NOT NULL`)
  if (rowCount === 0) return []
  const { rows } = await postgres.query<AppliedFile>(
    `SELECT name, coalesce(to_jsonb(m) ->> 'hash', 'null') AS hash FROM migrations AS m`,
  )
  return rows
}

/** The last release may not have computed all that upgrades to it added. Only it can, and only before a migration of this release. */
async function refuseUnfinished(postgres: Postgres): Promise<void> {
  const { rowCount } = await postgres.query('schema/unfinished')
  if (rowCount !== 0)
    throw new Error(`${tooOld('PostgreSQL')} Its worker has not computed all of the past yet.`)
}

async function migratePostgres(postgres: Postgres, files: readonly SchemaFile[]): Promise<void> {
  if (files.length === 0) return
  await postgres.query('schema/create_ledger')
  for (const { name, text, hash } of files) {
    await transaction(postgres, async (client) => {
      await client.query(text)
      await client.query('INSERT INTO migrations (name, hash) VALUES ($1, $2)', [name, hash])
    })
  }
}

const clickhouseLedger = (clickhouse: ClickHouse) =>
  selectRows<AppliedFile>(clickhouse, 'SELECT name, hash FROM migrations FINAL')

const ledger = ['clickhouse/queries/schema/create_ledger', 'clickhouse/queries/schema/create_ledger_all']

// Files that were applied never change, so they have the key of a cluster that was not copied.
const shardingKey = /(?<=_local, )cityHash64\(gpu_name\)( % \{shards:UInt16\})?/

/** ClickHouse has no transactions: all statements of a file may run twice, and all files are recorded when they have run. */
async function migrateClickHouse(
  clickhouse: ClickHouse,
  files: readonly SchemaFile[],
  { database, sharding }: { database: string; sharding: string },
): Promise<void> {
  const run = async (text: string) => {
    const statement = textFor(text, clickhouse.place)
      .replaceAll('$database', database)
      .replace(shardingKey, () => sharding)
    if (!isEmpty(statement)) await execute(clickhouse, statement)
  }
  for (const name of ledger) await run(loadSql(name))
  for (const { text } of files) for (const statement of statementsOf(text)) await run(statement)
  const values = files.map(({ name, hash }) => ({ name, hash }))
  await clickhouse.insert({ table: 'migrations', values, format: 'JSONEachRow' })
}

/** The statements of a file: several ones follow a line `-- name: …` each. */
const statementsOf = (text: string): string[] => text.split(/^-- name: .*\n/m)

/** Runs `work` with a client bound to `default`: ClickHouse refuses a client that is bound to a database that does not exist. */
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
