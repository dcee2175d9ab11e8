import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type ClickHouseServer, startClickHouse } from './clickhouse.ts'
import { isHeld, takeDataDir } from './data-dir-lock.ts'
import { ownDirectory } from './own-directory.ts'
import { startPostgres } from './postgres.ts'

export interface EngineAddresses {
  databaseUrl?: string
  clickhouse?: ClickHouseServer
}

export interface Engines extends EngineAddresses {
  /** Stops both engines, within some 12 s, and unlocks the data directory. */
  stop(): Promise<void>
}

export interface EnginesOptions {
  postgres: boolean
  clickhouse: boolean
  /** The ClickHouse database that may be used. Default: `rackrate`. `test_*` stands for all databases of a prefix. */
  database?: string
  /** False for data that need not survive a crash of the machine, as in tests: PostgreSQL does not wait for the disk. */
  isDurable?: boolean
  /** True where memory is not scarce, as in tests: ClickHouse takes a third less CPU and 1.9 times the memory. */
  keepsMemory?: boolean
  /** Bytes of the disk that ClickHouse keeps free. Default: a gibibyte. */
  reserveBytes?: number | undefined
  onLog?: (engine: 'postgres' | 'clickhouse', text: string) => void
}

/**
 * Locks the data directory, starts the requested engines and writes their addresses into it for findEngines. Throws
 * DataDirInUseError when another process holds the directory, and an Error with a sentence when an engine cannot run here.
 */
export async function startEngines(dataDir: string, options: EnginesOptions): Promise<Engines> {
  const dir = resolve(dataDir)
  ownDirectory(dir)
  const release = takeDataDir(dir)
  const log = (engine: 'postgres' | 'clickhouse') => (text: string) => options.onLog?.(engine, text)
  const [postgres, clickhouse] = await Promise.allSettled([
    options.postgres ? startPostgres(dir, log('postgres'), options) : undefined,
    options.clickhouse
      ? startClickHouse(dir, options.database ?? 'rackrate', log('clickhouse'), options)
      : undefined,
  ])
  const running = [postgres, clickhouse].flatMap((one) =>
    one.status === 'fulfilled' && one.value ? [one.value] : [],
  )
  const stop = async () => {
    rmSync(addressFile(dir), { force: true })
    await Promise.all(running.map((engine) => engine.stop()))
    release()
  }
  for (const one of [postgres, clickhouse]) {
    if (one.status === 'fulfilled') continue
    await stop()
    throw one.reason
  }
  const addresses: EngineAddresses = {
    ...(postgres.status === 'fulfilled' && postgres.value && { databaseUrl: postgres.value.server.url }),
    ...(clickhouse.status === 'fulfilled' && clickhouse.value && { clickhouse: clickhouse.value.server }),
  }
  writeFileSync(addressFile(dir), JSON.stringify(addresses), { mode: 0o600 })
  return { ...addresses, stop }
}

/** The addresses of the engines that run on this data directory now; undefined if none do. */
export function findEngines(dataDir: string): EngineAddresses | undefined {
  const dir = resolve(dataDir)
  if (!isHeld(dir)) return undefined
  try {
    return JSON.parse(readFileSync(addressFile(dir), 'utf8'))
  } catch {
    return undefined
  }
}

/** True if no PostgreSQL was started on the data directory before. */
export const isNewDirectory = (dataDir: string): boolean => !existsSync(join(dataDir, 'postgres.json'))

const addressFile = (dir: string) => join(dir, 'engines.json')
