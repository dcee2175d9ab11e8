import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface EngineAccount {
  username: string
  password: string
}

/** An account of an engine, and its rights. */
export interface Granted extends EngineAccount {
  /** Each a GRANT without its TO. */
  grants: readonly string[]
  /** Limits of its statements, as settings. */
  limits?: Record<string, string | number>
}

export interface ClickHouseConfig {
  /** Holds conf/, data/ and logs/. */
  dir: string
  /** 0: any free port. */
  port: number
  accounts: readonly Granted[]
  /** Memory limit of the engine itself. Allocations of some libraries are not counted. */
  memoryBytes: number
  /** Free bytes of the disk below which the engine begins no insert and no merge. */
  reserveBytes: number
  /** Its directory is removed when it ends. */
  forgetsData?: boolean
  /** Settings of this engine only, as XML. */
  server: string
  /** Disks and policies beside the disk of the data directory, as XML. */
  disks: string
  policies?: string
  /** Log level. Default: `warning`. */
  logLevel?: 'fatal'
  /** True if other servers connect to it. */
  isShard?: boolean
}

export interface WrittenConfig {
  configDir: string
  configFile: string
  dataDir: string
  logDir: string
  /** The first statements. None may contain a ';'. The last one prints the port, so that no polling is needed. */
  boot: string[]
}

/** Writes the configuration files. Accounts are part of them: the embedded engine cannot CREATE USER. */
export function writeClickHouseConfig(config: ClickHouseConfig): WrittenConfig {
  const [configDir, dataDir, logDir] = ['conf', 'data', 'logs'].map((name) => join(config.dir, name)) as [
    string,
    string,
    string,
  ]
  for (const dir of [configDir, logDir, join(dataDir, 'metadata')])
    mkdirSync(dir, { recursive: true, mode: 0o700 })
  // Without this file `system` is in memory, and its logs fail at the second start ("Directory ... already exists").
  const system = join(dataDir, 'metadata', 'system.sql')
  if (!existsSync(system))
    writeFileSync(system, `ATTACH DATABASE _ UUID '${randomUUID()}'\nENGINE = Atomic\n`)
  const configFile = join(configDir, 'config.xml')
  const usersFile = join(configDir, 'users.xml')
  const boot = [
    'SYSTEM START LISTEN HTTP',
    ...(config.isShard ? ['SYSTEM START LISTEN TCP'] : []),
    `INSERT INTO FUNCTION file(stdout, TSV, 'word String, port UInt16') SELECT 'READY', getServerPort('http_port')`,
  ]
  writeFileSync(usersFile, usersXml(config, boot.length), { mode: 0o600 })
  writeFileSync(configFile, serverXml(config, usersFile, logDir), { mode: 0o600 })
  return { configDir, configFile, dataDir, logDir, boot }
}

export const escapeXml = (text: string) => text.replace(/[<>&'"]/g, (c) => `&#${c.charCodeAt(0)};`)

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** The `Authorization` header of the account's HTTP clients. */
export const basicOf = ({ username, password }: EngineAccount): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

// clickhouse-local logs in to itself as `default` without a password, which cannot be changed. That account has the rights that
// the boot statements need, and they use up its quota. It cannot be reached over HTTP either: see handlersXml.
function usersXml({ accounts, reserveBytes }: ClickHouseConfig, bootStatements: number): string {
  const base = {
    implicit_select: 0,
    allow_introspection_functions: 0,
    min_free_disk_space_for_temporary_data: reserveBytes,
  }
  const elements = (values: Record<string, string | number>) =>
    Object.entries(values).map(([name, value]) => `<${name}>${value}</${name}>`)
  const profiles = accounts.map(
    ({ username, limits }) => `<${username}>${elements({ ...base, ...limits }).join('')}</${username}>`,
  )
  const users = accounts.map(
    ({ username, password, grants }) => `<${username}>
      <password_sha256_hex>${sha256(password)}</password_sha256_hex>
      <networks><ip>::/0</ip></networks><profile>${username}</profile><quota>default</quota>
      <grants>${grants.map((grant) => `<query>${escapeXml(grant)}</query>`).join('')}</grants>
    </${username}>`,
  )
  return `<clickhouse>
  <profiles><default>${elements(base).join('')}</default>${profiles.join('')}</profiles>
  <users>
    <default>
      <no_password/><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>boot</quota>
      <grants><query>GRANT SYSTEM LISTEN ON *.*</query><query>GRANT WRITE ON FILE</query><query>GRANT CREATE TEMPORARY TABLE ON *.*</query></grants>
    </default>
    ${users.join('\n    ')}
  </users>
  <quotas>
    <default/>
    <boot><interval><duration>2000000000</duration><queries>${bootStatements}</queries></interval></boot>
  </quotas>
</clickhouse>
`
}

function serverXml(config: ClickHouseConfig, usersFile: string, logDir: string): string {
  // ClickHouse reads <log-level> at the top level, and ignores any other one.
  return `<clickhouse>
  <logger><log>${escapeXml(join(logDir, 'clickhouse.log'))}</log><size>10M</size><count>3</count></logger>
  <log-level>${config.logLevel ?? 'warning'}</log-level>
  <timezone>UTC</timezone>
  <listen_host>127.0.0.1</listen_host>
  <http_port>${config.port}</http_port>
  ${handlersXml(config.accounts)}
  <users_config>${escapeXml(usersFile)}</users_config>
  <access_control_improvements>
    <select_from_system_db_requires_grant>true</select_from_system_db_requires_grant>
    <select_from_information_schema_requires_grant>true</select_from_information_schema_requires_grant>
  </access_control_improvements>
  <max_server_memory_usage>${Math.floor(config.memoryBytes)}</max_server_memory_usage>
  ${config.forgetsData || hasRoom(config) ? queryLogXml : ''}
  <storage_configuration>
    <disks><default><keep_free_space_bytes>${config.reserveBytes}</keep_free_space_bytes></default>${config.disks}</disks>
    ${config.policies ?? ''}
  </storage_configuration>
  ${config.server}
</clickhouse>
`
}

const queryLogXml = `<query_log>
    <database>system</database><table>query_log</table><flush_interval_milliseconds>7500</flush_interval_milliseconds>
    <ttl>event_date + INTERVAL 7 DAY DELETE</ttl><storage_policy>default</storage_policy>
  </query_log>`

// The engine creates its log table at the first entry. If a full disk cuts off the table's definition, the engine cannot start
// again.
function hasRoom({ dir, reserveBytes }: ClickHouseConfig): boolean {
  const { bavail, bsize } = statfsSync(dir)
  return bavail * bsize >= reserveBytes
}

// Only a request with the credentials of an account reaches a handler. All other requests, such as requests of web pages and of
// other users of the machine, are answered with 404, regardless of their parameters.
function handlersXml(accounts: readonly Granted[]): string {
  const rules = accounts.map(
    (account) =>
      `<rule><headers><Authorization>${basicOf(account)}</Authorization></headers><handler><type>dynamic_query_handler</type><query_param_name>query</query_param_name></handler></rule>`,
  )
  const ping =
    '<rule><url>/ping</url><handler><type>static</type><response_content>Ok.\n</response_content></handler></rule>'
  return `<http_handlers>${ping}${rules.join('')}</http_handlers>`
}
