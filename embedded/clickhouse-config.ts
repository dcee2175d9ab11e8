import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'
import { join } from 'node:path'
import { grantTo, sqlLimits, sqlQuota } from './accounts.ts'

export interface ClickHouseConfig {
  /** Holds conf/, data/, backups/ and the log. */
  dir: string
  port: number
  username: string
  password: string
  /** The account for ad hoc SQL: reads the database and nothing else, within limits. */
  analyst: { username: string; password: string }
  /** The one database that the account may use, or all of a prefix: `test_*`. */
  database: string
  /** For servers that are shards of each other. */
  shard?: Shard | undefined
}

/** One of several servers of this machine that make up a cluster, each a shard. They trust whoever knows the secret. */
export interface Shard {
  cluster: string
  secret: string
  /** Where each shard listens for the others, and which of them this one is. */
  ports: readonly number[]
  index: number
}

// No statement may hold a ';': the child splits on it. The last one prints the port, so nobody has to poll.
const bootStatements = ({ shard }: ClickHouseConfig) => [
  'SYSTEM START LISTEN HTTP',
  ...(shard ? ['SYSTEM START LISTEN TCP'] : []),
  `INSERT INTO FUNCTION file(stdout, TSV, 'word String, port UInt16') SELECT 'READY', getServerPort('http_port')`,
]

const memoryBytes = Math.min(8 * 2 ** 30, Math.floor(totalmem() / 2))

/** Writes the configuration files. Accounts are part of them: the embedded engine cannot CREATE USER. */
export function writeClickHouseConfig(config: ClickHouseConfig): {
  configFile: string
  dataDir: string
  boot: string[]
} {
  const conf = join(config.dir, 'conf')
  const dataDir = join(config.dir, 'data')
  mkdirSync(conf, { recursive: true, mode: 0o700 })
  mkdirSync(join(dataDir, 'metadata'), { recursive: true, mode: 0o700 })
  // Without this file `system` lives in memory, and its logs fail at the second start ("Directory ... already exists").
  const system = join(dataDir, 'metadata', 'system.sql')
  if (!existsSync(system))
    writeFileSync(system, `ATTACH DATABASE _ UUID '${randomUUID()}'\nENGINE = Atomic\n`)
  writeFileSync(join(conf, 'users.xml'), usersXml(config), { mode: 0o600 })
  writeFileSync(join(conf, 'config.xml'), serverXml(config, join(conf, 'users.xml')), { mode: 0o600 })
  return { configFile: join(conf, 'config.xml'), dataDir, boot: bootStatements(config) }
}

const escapeXml = (text: string) => text.replace(/[<>&'"]/g, (c) => `&#${c.charCodeAt(0)};`)

// What the limits of ad hoc SQL come to on this machine.
function analystLimits() {
  const limits = sqlLimits()
  const atMost = (name: string, most: number) => Math.min(Number(limits[name]), Math.floor(most))
  return {
    ...limits,
    max_memory_usage: atMost('max_memory_usage', memoryBytes / 4),
    max_memory_usage_for_user: atMost('max_memory_usage_for_user', memoryBytes / 3),
    max_threads: Math.max(1, atMost('max_threads', availableParallelism() / 2)),
  }
}

const xmlOf = (settings: Record<string, string | number>) =>
  Object.entries(settings)
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join('')

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

function usersXml(config: ClickHouseConfig): string {
  const { username, password, analyst, database, shard } = config
  // clickhouse-local logs itself in as `default` without a password, which cannot be changed. It may do what the boot statements
  // need, and they use up its quota: afterwards nobody can do anything with that account.
  return `<clickhouse>
  <profiles>
    <default><implicit_select>0</implicit_select><allow_introspection_functions>0</allow_introspection_functions></default>
    <analyst>${xmlOf(analystLimits())}</analyst>
  </profiles>
  <users>
    <default>
      <no_password/><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>boot</quota>
      <grants><query>GRANT SYSTEM LISTEN ON *.*</query><query>GRANT WRITE ON FILE</query><query>GRANT CREATE TEMPORARY TABLE ON *.*</query></grants>
    </default>
    <${username}>
      <password_sha256_hex>${sha256(password)}</password_sha256_hex>
      <networks><ip>::/0</ip></networks><profile>default</profile><quota>default</quota>
      <grants><query>${escapeXml(grantTo('writer', database, shard !== undefined))}</query></grants>
    </${username}>
    <${analyst.username}>
      <password_sha256_hex>${sha256(analyst.password)}</password_sha256_hex>
      <networks><ip>::/0</ip></networks><profile>analyst</profile><quota>analyst</quota>
      <grants><query>${escapeXml(grantTo('sql', database, shard !== undefined))}</query></grants>
    </${analyst.username}>
  </users>
  <quotas>
    <default/>
    <analyst><interval><duration>3600</duration>${xmlOf(sqlQuota())}</interval></analyst>
    <boot><interval><duration>2000000000</duration><queries>${bootStatements(config).length}</queries></interval></boot>
  </quotas>
</clickhouse>
`
}

function serverXml({ dir, port, shard }: ClickHouseConfig, usersFile: string): string {
  // <log-level> at the top is the one that counts.
  return `<clickhouse>
  <logger><log>${escapeXml(join(dir, 'clickhouse.log'))}</log><size>10M</size><count>3</count></logger>
  <log-level>warning</log-level>
  <listen_host>127.0.0.1</listen_host>
  <http_port>${port}</http_port>
  <users_config>${escapeXml(usersFile)}</users_config>
  <access_control_improvements>
    <select_from_system_db_requires_grant>true</select_from_system_db_requires_grant>
    <select_from_information_schema_requires_grant>true</select_from_information_schema_requires_grant>
  </access_control_improvements>
  <storage_configuration><disks><backups><type>local</type><path>${escapeXml(join(dir, 'backups'))}/</path></backups></disks></storage_configuration>
  <backups><allowed_disk>backups</allowed_disk></backups>
  <max_server_memory_usage>${memoryBytes}</max_server_memory_usage>
  <mark_cache_size>268435456</mark_cache_size>
  <background_pool_size>4</background_pool_size>
  <background_schedule_pool_size>16</background_schedule_pool_size>
  <query_log>
    <database>system</database><table>query_log</table><flush_interval_milliseconds>7500</flush_interval_milliseconds>
    <ttl>event_date + INTERVAL 7 DAY DELETE</ttl>
  </query_log>
  ${shard ? clusterXml(shard) : ''}
</clickhouse>
`
}

function clusterXml({ cluster, secret, ports, index }: Shard): string {
  const shards = ports.map(
    (port) => `<shard><replica><host>127.0.0.1</host><port>${port}</port></replica></shard>`,
  )
  return `<tcp_port>${ports[index]}</tcp_port>
  <remote_servers><${cluster}><secret>${escapeXml(secret)}</secret>${shards.join('')}</${cluster}></remote_servers>`
}
