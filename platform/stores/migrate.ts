import { ClickHouseError } from '@clickhouse/client'
import { type ClickHouse, type ClickHouseAddress, execute, openClickHouse, selectRows } from './clickhouse.ts'
import { findSchema } from './cluster.ts'
import { requireRoom } from './disk.ts'
import { beginFillingFlows } from './flow-progress.ts'
import { locks, type Postgres, transaction, withAdvisoryLock } from './postgres.ts'
import { type Retention, setRetention } from './retention.ts'
import {
  type AppliedFile,
  clickhouseFiles,
  pendingFiles,
  postgresFiles,
  type SchemaFile,
} from './schema-files.ts'
import { isEmpty, loadSql, textFor } from './sql-files.ts'

export interface MigrateOptions {
  /** Days that observations are kept. */
  retention?: Retention
  /** Runs all of ClickHouse's files again, for servers that were added to a cluster or replaced. */
  again?: boolean
}

/**
 * Brings both databases to the schema of this release and returns the names of the applied files. Any number of processes may
 * call it at once. If one is killed, the next call completes its work. Throws, with both databases unchanged, when either was
 * made by a newer release or a file has changed since it was applied.
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
    const { shards, hasLedger, hasSlots } = await throughDefault(address, (client) =>
      findSchema(client, address),
    )
    const inClickHouse = hasLedger ? await clickhouseLedger(clickhouse) : []
    const forClickHouse = pendingFiles('ClickHouse', clickhouseFiles(), inClickHouse)

    await migratePostgres(postgres, forPostgres, inPostgres)
    // One of the two databases is older than the flows: the other may have been restored.
    const isWithoutFlows = [...forPostgres, ...forClickHouse].some(({ name }) => flowFiles.includes(name))
    if (hasSlots && isWithoutFlows) await beginFillingFlows(postgres, clickhouse)
    try {
      // When nothing is to be applied, an account that may only read can start, and so can a process while a server of the
      // cluster is unreachable.
      if (again || forClickHouse.length > 0) {
        await createDatabase(address)
        await requireRoom(clickhouse)
        const { database } = address
        await migrateClickHouse(clickhouse, again ? clickhouseFiles() : forClickHouse, { database, shards })
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

/** The list of PostgreSQL's applied files. Databases of earlier releases lack its column `hash`. */
async function postgresLedger(postgres: Postgres): Promise<AppliedFile[]> {
  const { rowCount } = await postgres.query(`SELECT WHERE to_regclass('migrations') IS NOT NULL`)
  if (rowCount === 0) return []
  const { rows } = await postgres.query<AppliedFile>(
    `SELECT name, to_jsonb(m) ->> 'hash' AS hash FROM migrations AS m`,
  )
  return rows
}

async function migratePostgres(
  postgres: Postgres,
  files: readonly SchemaFile[],
  applied: readonly AppliedFile[],
): Promise<void> {
  const unhashed = new Set(applied.filter(({ hash }) => hash === null).map(({ name }) => name))
  if (files.length === 0 && unhashed.size === 0) return
  await postgres.query('schema/create_ledger')
  await postgres.query('ALTER TABLE migrations ADD COLUMN IF NOT EXISTS hash text')
  for (const { name, hash } of postgresFiles().filter((file) => unhashed.has(file.name)))
    await postgres.query('UPDATE migrations SET hash = $2 WHERE name = $1', [name, hash])
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

/** ClickHouse has no transactions. A file is one statement that may run twice, and all files are recorded after they have run. */
async function migrateClickHouse(
  clickhouse: ClickHouse,
  files: readonly SchemaFile[],
  { database, shards }: { database: string; shards: number },
): Promise<void> {
  const run = async (text: string) => {
    const statement = textFor(text, clickhouse.place).replaceAll('$database', database)
    if (!isEmpty(statement)) await execute(clickhouse, statement, { shards })
  }
  for (const name of ledger) await run(loadSql(name))
  for (const { text } of files) await run(text)
  const values = files.map(({ name, hash }) => ({ name, hash }))
  await clickhouse.insert({ table: 'migrations', values, format: 'JSONEachRow' })
}

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

const flowFiles = ['clickhouse/migrations/007_flows', 'postgres/migrations/013_flow_progress']

const createDatabase = (address: ClickHouseAddress): Promise<void> =>
  throughDefault(address, (client) =>
    execute(client, 'CREATE DATABASE IF NOT EXISTS {name:Identifier}/*! ON CLUSTER $cluster*/', {
      name: address.database,
    }),
  )
