import { findEngines, startEngines } from '../embedded/engines.ts'
import { areInstalled } from '../embedded/installed.ts'
import type { Clock } from '../platform/clock.ts'
import { unlockVault, type Vault } from '../platform/security/vault.ts'
import {
  type AdHocClients,
  type ClickHouse,
  type ClickHouseAddress,
  closeAdHoc,
  openAdHoc,
  openClickHouse,
} from '../platform/stores/clickhouse.ts'
import { migrate } from '../platform/stores/migrate.ts'
import { openPostgres, type Postgres } from '../platform/stores/postgres.ts'
import { UsageError } from '../platform/usage-error.ts'
import type { QueueAddress } from '../workers/queues.ts'
import type { Config } from './config.ts'
import { encryptionKeysOf } from './encryption-key.ts'
import { requireClickHouse, requirePostgres } from './require-databases.ts'
import { systemClock } from './system-clock.ts'

/** Both databases of a market, open. */
export interface MarketStores {
  postgres: Postgres
  clock: Clock
  queues: QueueAddress
  clickhouse: ClickHouse
  clickhouseAddress: ClickHouseAddress
  close(): Promise<void>
}

/** The databases of the site. They contain its first market, or the only one. */
export interface SiteStores extends MarketStores {
  /** For ad hoc SQL; undefined: there is no account for it. */
  adHoc: AdHocClients | undefined
  vault: Vault
  /** Closes the clients, then stops the engines that were started for them. */
  close(): Promise<void>
}

export interface OpenMarketOptions {
  /** Runs ClickHouse's migrations even if they ran before. */
  migrateAgain?: boolean
  /** Runs before the migrations. */
  prepare?: (postgres: Postgres, clickhouse: ClickHouseAddress) => Promise<unknown>
  onLog?: (text: string) => void
}

export interface StoresOptions extends OpenMarketOptions {
  /** Starts own engines, even if another process runs engines on the data directory. */
  exclusive?: boolean
}

/**
 * Opens both databases: the configured ones, otherwise the embedded engines of a process on the same data directory, otherwise new embedded
 * engines that run until close(). Upgrades the schema. Throws WrongVaultError if the secrets in the database were encrypted with another
 * key.
 */
export async function openStores(config: Config, options: StoresOptions = {}): Promise<SiteStores> {
  const running = options.exclusive ? undefined : findEngines(config.dataDir)
  const needed = { postgres: !config.databaseUrl, clickhouse: !config.clickhouse }
  if (!running && !areInstalled(needed)) throw new UsageError(withoutEngines(needed))
  if (config.redisUrl) {
    const { requireRedis } = await import('./require-redis.ts')
    await requireRedis(config.redisUrl, console.error)
  }
  const own =
    !running && (needed.postgres || needed.clickhouse)
      ? await startEngines(config.dataDir, {
          ...needed,
          reserveBytes: config.diskReserveBytes,
          onLog: (engine, text) => options.onLog?.(`${engine}: ${text}`),
        })
      : undefined
  const engines = own ?? running
  const databaseUrl = config.databaseUrl ?? engines?.databaseUrl
  const clickhouseAddress = config.clickhouse ?? engines?.clickhouse
  if (!databaseUrl || !clickhouseAddress)
    throw new Error(`The rackrate process that uses ${config.dataDir} does not run the engines needed here.`)

  const market = await openMarketStores(config, { databaseUrl, clickhouseAddress }, options).catch(
    async (error) => {
      await own?.stop()
      throw error
    },
  )
  const account = (config.clickhouse ?? engines?.clickhouse)?.analyst
  const adHoc = account && openAdHoc(clickhouseAddress, account)
  const close = async () => {
    await closeAdHoc(adHoc)
    await market.close()
    await own?.stop()
  }
  try {
    const vault = await unlockVault(market.postgres, encryptionKeysOf(config))
    return { ...market, adHoc, vault, close }
  } catch (error) {
    await close()
    throw error
  }
}

const withoutEngines = ({ postgres, clickhouse }: { postgres: boolean; clickhouse: boolean }) => {
  const names = [...(postgres ? ['DATABASE_URL'] : []), ...(clickhouse ? ['CLICKHOUSE_URL'] : [])]
  const [are, their] = names.length === 1 ? ['is', 'its'] : ['are', 'their']
  return `${names.join(' and ')} ${are} not set, and the embedded engines that would take ${their} place are not installed.
The container image has none. npm has them for Linux with glibc and for macOS.
Set ${names.join(' and ')}, or use docker-compose.yml, which has servers of its own (docs/operations.md).`
}

/** Opens the databases of a market and upgrades their schema. */
export async function openMarketStores(
  config: Config,
  { databaseUrl, clickhouseAddress }: { databaseUrl: string; clickhouseAddress: ClickHouseAddress },
  { prepare, migrateAgain = false, onLog }: OpenMarketOptions,
): Promise<MarketStores> {
  const onError = (error: Error) => onLog?.(`postgres connection: ${error.message}\n`)
  const postgres = openPostgres(databaseUrl, onError, { isGuarded: config.isDevelopment })
  const clickhouse = openClickHouse(clickhouseAddress)
  const close = async () => {
    await clickhouse.close()
    await postgres.end()
  }
  try {
    await requirePostgres(postgres, config.databaseUrl === undefined ? undefined : databaseUrl)
    await requireClickHouse(config.clickhouse)
    await prepare?.(postgres, clickhouseAddress)
    await migrate(postgres, clickhouse, clickhouseAddress, {
      retention: config.observationRetention,
      again: migrateAgain,
    })
    const queues = await queuesOf(config, databaseUrl)
    return { postgres, clock: systemClock, queues, clickhouse, clickhouseAddress, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function queuesOf({ redisUrl, tracesTo }: Config, databaseUrl: string): Promise<QueueAddress> {
  if (!tracesTo) return { databaseUrl, redisUrl }
  const { openTelemetry } = await import('../workers/telemetry.ts')
  return { databaseUrl, redisUrl, telemetry: openTelemetry() }
}

/** Runs `work` on open databases and closes them afterwards, even if it throws. */
export async function useStores<T>(
  config: Config,
  work: (stores: SiteStores) => Promise<T>,
  options: StoresOptions = {},
): Promise<T> {
  const stores = await openStores(config, options)
  try {
    return await work(stores)
  } finally {
    await stores.close()
  }
}
