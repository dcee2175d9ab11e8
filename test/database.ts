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
} from '../platform/stores/clickhouse.ts'
import { migrate } from '../platform/stores/migrate.ts'
import { openPostgres, type Postgres } from '../platform/stores/postgres.ts'
import { prefixOf, type QueueAddress } from '../workers/queues.ts'

export interface TestDatabases {
  postgres: Postgres
  /** Where the queues are of who works on these databases. */
  queues: QueueAddress
  clickhouse: ClickHouse
  clickhouseAddress: ClickHouseAddress
  /** Absent where the engine can't be kept from the machine's files. */
  adHoc: AdHocClients | undefined
  vault: Vault
  close(): Promise<void>
}

/** The encryption key of tests, and of the processes that they start. */
export const testKey = Buffer.alloc(32, 7)

/** A migrated Postgres database and ClickHouse database of one's own, on the engines of the test run, or on others. */
export async function freshDatabases(
  postgresServer?: string,
  clickhouseServer?: ClickHouseServer,
): Promise<TestDatabases> {
  const name = `test_${randomBytes(6).toString('hex')}`
  const engines = inject('engines')
  const serverUrl = postgresServer ?? engines.postgresUrl
  const server = openPostgres(serverUrl, (error) => console.error(error.message), 1)
  await server.query(`CREATE DATABASE ${name}`)
  const databaseUrl = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href
  const queues = { databaseUrl, redisUrl: engines.redisUrl }
  const { analyst: account, ...address } = clickhouseServer ?? engines.clickhouse
  const clickhouseAddress = { ...address, database: name }
  const adHoc = account && openAdHoc(clickhouseAddress, account)
  let closing = false // dropping a database ends the connections that are left to it
  const postgres = openPostgres(databaseUrl, (error) => closing || console.error(error.message))
  const clickhouse = openClickHouse(clickhouseAddress)
  await migrate(postgres, clickhouse, clickhouseAddress)
  const vault = await unlockVault(postgres, { key: testKey })
  return {
    postgres,
    queues,
    clickhouse,
    clickhouseAddress,
    adHoc,
    vault,
    async close() {
      closing = true
      const drop = 'DROP DATABASE IF EXISTS {name:Identifier}/*! ON CLUSTER $cluster*/'
      await execute(clickhouse, drop, { name })
      await closeAdHoc(adHoc)
      await clickhouse.close()
      await postgres.end()
      await server.query(`DROP DATABASE ${name} WITH (FORCE)`)
      await server.end()
      await forget(queues)
    },
  }
}

/** Takes the queues of a test out of a Redis. */
async function forget(queues: QueueAddress): Promise<void> {
  if (!queues.redisUrl) return
  const redis = new Redis(queues.redisUrl)
  const keys = await redis.keys(`${prefixOf(queues.databaseUrl)}*`)
  if (keys.length > 0) await redis.unlink(keys)
  redis.disconnect()
}
