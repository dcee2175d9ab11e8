import { randomUUID } from 'node:crypto'
import { availableParallelism, totalmem } from 'node:os'
import { join } from 'node:path'
import { adHocLimits, grantTo } from './accounts.ts'
import { type EngineAccount, escapeXml } from './clickhouse-config.ts'
import { type EngineProcess, startClickHouseProcess } from './clickhouse-process.ts'
import { copyDefinitions, type SeriesFiles } from './series-files.ts'
import type { EngineLog } from './supervise.ts'

/** Memory limit of the process. */
export const adHocMemoryBytes = Math.min(3 * 2 ** 30, Math.max(640 * 2 ** 20, Math.floor(totalmem() / 4)))

// Files in which the engine finds its main thread's stack and its own size. It sees no other process, and nothing of the machine.
const itself = ['/proc/self/maps', '/proc/self/statm']

export interface AdHocOptions {
  /** Folder of the engines' files, all of which are temporary. */
  dir: string
  /** The data directory of the engine whose tables are read. */
  dataDir: string
  /** An account that only reads the database, within limits. */
  analyst: EngineAccount
  /** An account that reads the query log and ends queries. */
  operator: EngineAccount
  reserveBytes: number
  log: EngineLog
}

export interface AdHocProcess extends EngineProcess {
  /** The folder of its files. */
  folder: string
  /** Seconds that a statement may take. */
  limitSeconds: number
}

/** Starts an engine that reads the tables of one database of another engine. The other engine continues to write them. */
export async function startAdHocProcess(
  { dir, dataDir, analyst, operator, reserveBytes, log }: AdHocOptions,
  database: string,
  files: SeriesFiles,
): Promise<AdHocProcess> {
  const folder = join(dir, `${database}-${randomUUID()}`)
  copyDefinitions(files, join(folder, 'data'))
  const limits = adHocLimits(adHocMemoryBytes)
  const engine = await startClickHouseProcess(
    {
      // Reports of missing /proc files would fill its log.
      dir: folder,
      port: 0,
      memoryBytes: adHocMemoryBytes * 0.75,
      reserveBytes,
      logLevel: 'fatal',
      forgetsData: true,
      accounts: [
        {
          ...analyst,
          grants: Object.keys(files.databases).map((name) => grantTo('ad_hoc', name, false)),
          limits,
        },
        { ...operator, grants: ['GRANT SELECT ON system.*, KILL QUERY, SYSTEM FLUSH LOGS ON *.*'] },
      ],
      disks: `<series><type>local</type><path>${escapeXml(dataDir)}/</path></series>`,
      policies: '<policies><series><volumes><main><disk>series</disk></main></volumes></series></policies>',
      server: serverXml,
    },
    { readable: [...files.parts.keys(), ...itself], memoryBytes: adHocMemoryBytes },
    log,
  )
  if (engine.isConfined) return { ...engine, folder, limitSeconds: Number(limits.max_execution_time) }
  engine.child.kill('SIGKILL')
  throw new Error('ad hoc SQL needs Landlock')
}

// A check finds the disk read-only. It runs at the start, and then almost never again. Tables on read-only disks look for new
// parts. A subquery can raise the settings of its account, including threads. The server's settings are the effective limit.
const serverXml = `<local_disk_check_period_ms>1000000000</local_disk_check_period_ms>
  <merge_tree><storage_policy>series</storage_policy><refresh_parts_interval>1</refresh_parts_interval></merge_tree>
  <mark_cache_size>33554432</mark_cache_size>
  <index_mark_cache_size>0</index_mark_cache_size>
  <background_pool_size>1</background_pool_size>
  <background_schedule_pool_size>4</background_schedule_pool_size>
  <max_thread_pool_size>100</max_thread_pool_size>
  <concurrent_threads_soft_limit_num>${Math.max(2, availableParallelism())}</concurrent_threads_soft_limit_num>
  <max_concurrent_queries>20</max_concurrent_queries>`
