import { createHmac } from 'node:crypto'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { adHocLimits, grantTo } from './accounts.ts'
import { openAdHocGateway } from './ad-hoc-gateway.ts'
import { type Child, stopChild } from './child.ts'
import { type ClickHouseConfig, type EngineAccount, escapeXml, type Granted } from './clickhouse-config.ts'
import { engineScript, startClickHouseProcess } from './clickhouse-process.ts'
import { remember } from './port-and-password.ts'
import { endOrphan } from './stop-orphan.ts'
import { type EngineLog, type Supervised, supervise } from './supervise.ts'

const username = 'rackrate'
const memoryBytes = Math.min(8 * 2 ** 30, Math.floor(totalmem() / 2))

export interface ClickHouseServer extends EngineAccount {
  url: string
  database: string
  /**
   * The account for ad hoc SQL. It only reads the database, within limits, in an engine process of its own. Absent where a
   * process cannot be kept from the machine's files.
   */
  analyst?: EngineAccount & { url: string }
}

/** One of several servers of this machine that form clusters, each a shard. They trust every client that has the secret. */
export interface Shard {
  secret: string
  /** The port on which this shard listens for the others. */
  port: number
  /** The clusters, each with the ports of its shards. */
  clusters: Record<string, readonly number[]>
}

export interface EngineOptions {
  shard?: Shard
  keepsMemory?: boolean | undefined
  /** Free bytes of the disk below which the engine begins no insert and no merge. Default: a gibibyte. */
  reserveBytes?: number | undefined
}

const usualReserve = 2 ** 30

/** Starts ClickHouse on `dataDir`/clickhouse and keeps it running until stop(). A shard runs ad hoc SQL itself. */
export async function startClickHouse(
  dataDir: string,
  database: string,
  log: EngineLog,
  { shard, keepsMemory = false, reserveBytes = usualReserve }: EngineOptions = {},
): Promise<Supervised<ClickHouseServer>> {
  const dir = join(dataDir, 'clickhouse')
  await endOrphan(join(dir, 'pid'), engineScript, { signal: 'SIGTERM', afterMs: 2000 }, log)
  const { port, password } = await remember(dataDir, 'clickhouse')
  const service = { username, password }
  // The account's password is derived from the main password, so it need not be stored.
  const analyst = {
    username: `${username}_sql`,
    password: createHmac('sha256', password).update('analyst').digest('base64url'),
  }
  // The site's database, and the databases of further sources, whose names begin with its name.
  const databases = `${database.replace(/\*$/, '')}*`
  const accounts: Granted[] = [{ ...service, grants: [grantTo('writer', databases, shard !== undefined)] }]
  if (shard)
    accounts.push({
      ...analyst,
      grants: [grantTo('ad_hoc', database, true)],
      limits: adHocLimits(memoryBytes),
    })
  // By default, checking the process's memory is most of the engine's work when idle: 0.5 % of a core.
  const config: ClickHouseConfig = {
    dir,
    port,
    memoryBytes,
    reserveBytes,
    accounts,
    isShard: shard !== undefined,
    disks: `<backups><type>local</type><path>${escapeXml(join(dir, 'backups'))}/</path></backups>`,
    server: `<backups><allowed_disk>backups</allowed_disk></backups>
  <mark_cache_size>268435456</mark_cache_size>
  <background_pool_size>4</background_pool_size>
  <background_schedule_pool_size>16</background_schedule_pool_size>
  <memory_worker_period_ms>1000</memory_worker_period_ms>
  ${shard ? clusterXml(shard) : ''}`,
  }
  const confinement = {
    writable: [join(dir, 'backups')],
    readable: ['/sys', '/proc/self', '/proc/sys'],
    connects: shard ? Object.values(shard.clusters).flat() : [],
    keepsMemory,
  }
  let isConfined = false
  const start = async (): Promise<Child> => {
    const started = await startClickHouseProcess(config, confinement, log)
    isConfined = started.isConfined
    return started.child
  }
  const server: ClickHouseServer = { url: `http://127.0.0.1:${port}`, ...service, database }
  const engine = await supervise(server, start, (child) => stopChild(child, 10_000), {
    log,
    pidFile: join(dir, 'pid'),
  })
  if (shard) server.analyst = { ...analyst, url: server.url }
  if (!isConfined || shard) return engine

  const { port: gatewayPort } = await remember(dataDir, 'ad-hoc')
  const gateway = await openAdHocGateway({
    dir: join(dir, 'ad-hoc'),
    dataDir: join(dir, 'data'),
    port: gatewayPort,
    analyst,
    operator: service,
    reserveBytes,
    log,
  }).catch(async (error) => {
    await engine.stop()
    throw error
  })
  server.analyst = { ...analyst, url: gateway.url }
  return {
    server,
    async stop() {
      await gateway.close()
      await engine.stop()
    },
  }
}

function clusterXml({ secret, port, clusters }: Shard): string {
  const shardOf = (at: number) => `<shard><replica><host>127.0.0.1</host><port>${at}</port></replica></shard>`
  const servers = Object.entries(clusters).map(
    ([name, ports]) =>
      `<${name}><secret>${escapeXml(secret)}</secret>${ports.map(shardOf).join('')}</${name}>`,
  )
  return `<tcp_port>${port}</tcp_port>
  <remote_servers>${servers.join('')}</remote_servers>`
}
