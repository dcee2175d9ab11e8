import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import { inject } from 'vitest'
import type { ClickHouseServer } from '../embedded/clickhouse.ts'
import { unlockVault, type Vault } from '../platform/security/vault.ts'
import {
  type AdHocClients,
  type ClickHouse,
  type ClickHouseAddress,
  closeAdHoc,
  execute,
  openAdHoc,
  openClickHouse,
  selectRows,
} from '../platform/stores/clickhouse.ts'
import { migrate, throughDefault } from '../platform/stores/migrate.ts'
import { openPostgres, type Postgres } from '../platform/stores/postgres.ts'
import { prefixOf, type QueueAddress } from '../workers/queues.ts'
import { beginning, movedBy, openTestClock, type TestClock } from './clock.ts'

export interface TestDatabases {
  postgres: Postgres
  clock: TestClock
  /** The place of the queues of processes on these databases. */
  queues: QueueAddress
  clickhouse: ClickHouse
  clickhouseAddress: ClickHouseAddress
  /** Absent if the engine cannot be kept from the machine's files. */
  adHoc: AdHocClients | undefined
  vault: Vault
  close(): Promise<void>
}

/** The encryption key of tests, and of the processes that they start. */
export const testKey = Buffer.alloc(32, 7)

/** A migrated Postgres database and ClickHouse database of one's own, on the engines of the test run, or on others. */
export const freshDatabases = async (
  postgresServer?: string,
  clickhouseServer?: ClickHouseServer,
): Promise<TestDatabases> =>
  openDatabases({
    postgresServer,
    clickhouseServer,
    template: postgresServer ? undefined : await keptAs('migrated', async () => {}),
  })

/**
 * Databases of a test's own with the data of `prepare`. They are prepared once in a test run, and copied for every request of the
 * same kind. `isKept`: the caller does not close them, so they are removed when the run ends.
 */
export async function preparedDatabases(
  kind: string,
  prepare: (databases: TestDatabases) => Promise<void>,
  isKept = false,
): Promise<TestDatabases> {
  if (!inject('engines').clickhouse.cluster)
    return openDatabases({ template: await keptAs(kind, prepare), isKept })
  const databases = await openDatabases({})
  await prepare(databases)
  return databases
}

/** A migrated Postgres database of one's own, for tests that do not use ClickHouse. */
export async function freshPostgres(): Promise<Pick<TestDatabases, 'postgres' | 'clock' | 'close'>> {
  const { postgresUrl } = inject('engines')
  const template = await keptAs('migrated', async () => {})
  const { server, name, databaseUrl } = await copyPostgres(postgresUrl, template)
  const postgres = openPostgres(databaseUrl, (error) => console.error(error.message), { isGuarded: true })
  const clock = openTestClock(postgres)
  if (movedBy !== 0) await clock.release()
  return {
    postgres,
    clock,
    async close() {
      await postgres.end()
      await server.query(`DROP DATABASE ${name} WITH (FORCE)`)
      await server.end()
    },
  }
}

/**
 * The name of a Postgres database to copy. The first caller creates it. Its part in ClickHouse is in a database of the name
 * without its end.
 */
async function keptAs(kind: string, prepare: (databases: TestDatabases) => Promise<void>): Promise<string> {
  const { postgresUrl, run } = inject('engines')
  const suffix = `_${kind}_${run}`
  const server = openPostgres(postgresUrl, (error) => console.error(error.message), { max: 1 })
  const client = await server.connect()
  const found = async () => {
    const named = 'SELECT datname AS name FROM pg_database WHERE right(datname, length($1)) = $1'
    const { rows } = await client.query<{ name: string }>(named, [suffix])
    return rows[0]?.name
  }
  try {
    const there = await found()
    if (there) return there
    await client.query('SELECT pg_advisory_lock(48)')
    const madeMeanwhile = await found()
    if (madeMeanwhile) return madeMeanwhile
    const made = await openDatabases({})
    if (beginning !== undefined) await made.clock.hold(beginning - 30)
    await prepare(made)
    return await made.keepAs(suffix)
  } finally {
    client.release(true) // the lock ends with the connection
    await server.end()
  }
}

interface DatabaseOptions {
  postgresServer?: string | undefined
  clickhouseServer?: ClickHouseServer | undefined
  /** The Postgres database to copy. */
  template?: string | undefined
  isKept?: boolean
}

async function openDatabases({
  postgresServer,
  clickhouseServer,
  template = 'template1',
  isKept = false,
}: DatabaseOptions) {
  const engines = inject('engines')
  const { server, name, databaseUrl } = await copyPostgres(
    postgresServer ?? engines.postgresUrl,
    template,
    isKept ? `_kept_${engines.run}` : '',
  )
  const queues = { databaseUrl, redisUrl: engines.redisUrl }
  const { analyst, ...address } = clickhouseServer ?? engines.clickhouse
  const clickhouseAddress = { ...address, database: name }
  let closing = false // dropping a database ends its remaining connections, with an error each
  const postgres = openPostgres(databaseUrl, (error) => closing || console.error(error.message), {
    isGuarded: true,
  })
  const clickhouse = openClickHouse(clickhouseAddress)
  const [, kept] = /^(test_[0-9a-f]+)_/.exec(template) ?? []
  if (kept && !clickhouseServer && !clickhouse.place) {
    await copySchema(kept, clickhouseAddress)
    await copyParts(kept, clickhouse)
  } else await migrate(postgres, clickhouse, clickhouseAddress)
  const clock = openTestClock(postgres)
  if (movedBy !== 0) await clock.release()
  // An embedded engine runs the ad hoc SQL of each database in a process of its own. Elsewhere each worker has an account.
  const ofWorker = clickhouseServer ? undefined : engines.analysts?.[Number(process.env.VITEST_POOL_ID) - 1]
  const adHoc = analyst && openAdHoc(clickhouseAddress, ofWorker ?? analyst)
  const vault = await unlockVault(postgres, { key: testKey })
  const end = async () => {
    await closeAdHoc(adHoc)
    await clickhouse.close()
    await postgres.end()
  }
  return {
    postgres,
    clock,
    queues,
    clickhouse,
    clickhouseAddress,
    adHoc,
    vault,
    /** Closes all clients, and leaves the databases to be copied. Returns the name of the Postgres database. */
    async keepAs(suffix: string): Promise<string> {
      await end()
      await server.query(`ALTER DATABASE ${name} RENAME TO ${name}${suffix}`)
      await server.end()
      return `${name}${suffix}`
    },
    async close() {
      closing = true
      const drop = 'DROP DATABASE IF EXISTS {name:Identifier}/*! ON CLUSTER $cluster*/'
      // A test may have dropped it already.
      await throughDefault(clickhouseAddress, (client) => execute(client, drop, { name }))
      await end()
      await server.query(`DROP DATABASE ${name} WITH (FORCE)`)
      await server.end()
      await forget(queues)
    },
  }
}

/** `suffix`: ends the name of the database in Postgres. */
async function copyPostgres(serverUrl: string, template: string, suffix = '') {
  const name = `test_${randomBytes(6).toString('hex')}`
  const server = openPostgres(serverUrl, (error) => console.error(error.message), { max: 1 })
  await server.query(`CREATE DATABASE ${name}${suffix} TEMPLATE ${template}`)
  const databaseUrl = Object.assign(new URL(serverUrl), { pathname: `/${name}${suffix}` }).href
  return { name, server, databaseUrl }
}

/** Makes the tables and views of another ClickHouse database, as they are there: that takes a tenth of the time of all migrations. */
async function copySchema(from: string, address: ClickHouseAddress): Promise<void> {
  await throughDefault(address, async (client) => {
    const found = await selectRows<{ name: string; text: string }>(
      client,
      `SELECT name, create_table_query AS text FROM system.tables WHERE database = {from:String} ORDER BY engine = 'View'`,
      { from },
    )
    await execute(client, 'CREATE DATABASE {name:Identifier}', { name: address.database })
    await Promise.all(found.map(({ text }) => execute(client, text.replaceAll(from, address.database))))
  })
}

/** Copies the rows of another ClickHouse database. The copy shares its files. */
async function copyParts(from: string, clickhouse: ClickHouse): Promise<void> {
  const partitions = await selectRows<{ table: string; id: string }>(
    clickhouse,
    `SELECT DISTINCT table, partition_id AS id FROM system.parts WHERE database = {from:String} AND active`,
    { from },
  )
  for (const { table, id } of partitions)
    await execute(clickhouse, `ALTER TABLE ${table} REPLACE PARTITION ID '${id}' FROM ${from}.${table}`)
}

/** Takes the queues of a test out of a Redis. */
async function forget(queues: QueueAddress): Promise<void> {
  if (!queues.redisUrl) return
  const redis = new Redis(queues.redisUrl)
  const keys = await redis.keys(`${prefixOf(queues.databaseUrl)}*`)
  if (keys.length > 0) await redis.unlink(keys)
  redis.disconnect()
}
