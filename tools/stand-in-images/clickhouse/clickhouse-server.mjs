// ClickHouse's engine from the package chdb, with the variables and paths of clickhouse/clickhouse-server. The engine listens on 127.0.0.1,
// and this process is in front of it, because the engine cannot CREATE USER: statements on accounts are stored in a file, and the engine is
// restarted with them before the next other statement. No native protocol, no replication, no Keeper.
import { spawn } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'

const env = (name) =>
  process.env[`${name}_FILE`] ? readFileSync(process.env[`${name}_FILE`], 'utf8').trim() : process.env[name]
const admin = { name: env('CLICKHOUSE_USER') || 'default', password: env('CLICKHOUSE_PASSWORD') ?? '' }
const mayManage = env('CLICKHOUSE_DEFAULT_ACCESS_MANAGEMENT') === '1'
const database = env('CLICKHOUSE_DB')
const dir = '/var/lib/clickhouse'
const conf = '/etc/clickhouse-server' // with config.d, which the engine merges itself
const port = 18123
const stateFile = `${dir}/standin-accounts.json`
const state = existsSync(stateFile)
  ? JSON.parse(readFileSync(stateFile, 'utf8'))
  : { users: {}, profiles: {}, quotas: {} }
const sha256 = (text) => createHash('sha256').update(text).digest('hex')
const xml = (text) => String(text).replace(/[<>&'"]/g, (c) => `&#${c.charCodeAt(0)};`)
const elements = (values) =>
  Object.entries(values)
    .map(([name, value]) => `<${name}>${xml(value)}</${name}>`)
    .join('')

function writeConfig() {
  mkdirSync(`${dir}/metadata`, { recursive: true })
  // Without it `system` lives in memory, and its logs fail at the second start.
  if (!existsSync(`${dir}/metadata/system.sql`))
    writeFileSync(`${dir}/metadata/system.sql`, `ATTACH DATABASE _ UUID '${randomUUID()}'\nENGINE = Atomic\n`)
  const users = Object.entries(state.users).map(
    ([name, { hash, profile, quota, grants }]) => `<${name}><password_sha256_hex>${hash}</password_sha256_hex>
    <networks><ip>::/0</ip></networks><profile>${profile ?? 'default'}</profile><quota>${quota ?? 'default'}</quota>
    <grants>${grants.map((grant) => `<query>${xml(grant)}</query>`).join('')}</grants></${name}>`,
  )
  writeFileSync(
    `${conf}/users.xml`,
    `<clickhouse>
  <profiles><default/>${Object.entries(state.profiles)
    .map(([name, values]) => `<${name}>${elements(values)}</${name}>`)
    .join('')}</profiles>
  <users>
    <default><no_password/><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default>
    ${admin.name === 'default' ? '' : `<${admin.name}><password_sha256_hex>${sha256(admin.password)}</password_sha256_hex><networks><ip>::/0</ip></networks><profile>default</profile><quota>default</quota></${admin.name}>`}
    ${users.join('\n')}
  </users>
  <quotas><default/>${Object.entries(state.quotas)
    .map(
      ([name, { seconds, ...most }]) =>
        `<${name}><interval><duration>${seconds}</duration>${elements(most)}</interval></${name}>`,
    )
    .join('')}</quotas>
</clickhouse>
`,
  )
  writeFileSync(
    `${conf}/config.xml`,
    `<clickhouse>
  <logger><console>1</console></logger><log-level>warning</log-level><timezone>UTC</timezone>
  <listen_host>127.0.0.1</listen_host><http_port>${port}</http_port>
  <users_config>${conf}/users.xml</users_config>
  <background_pool_size>4</background_pool_size><background_schedule_pool_size>16</background_schedule_pool_size>
  <mark_cache_size>268435456</mark_cache_size>
  <query_log><database>system</database><table>query_log</table><flush_interval_milliseconds>7500</flush_interval_milliseconds></query_log>
</clickhouse>
`,
  )
}

let child
let isStopping = false
async function start() {
  writeConfig()
  const boot = [
    'SYSTEM START LISTEN HTTP',
    `INSERT INTO FUNCTION file(stdout, TSV, 'word String') SELECT 'READY'`,
  ]
  child = spawn(
    process.execPath,
    [
      '/standin/clickhouse-child.mjs',
      `${conf}/config.xml`,
      dir,
      JSON.stringify({
        boot,
        allowed: {
          writable: [dir, '/backups'],
          appendable: ['/var/log/clickhouse-server'],
          readable: ['/sys', '/proc/self', '/proc/sys', conf],
          connects: [],
        },
      }),
    ],
    {
      cwd: dir,
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, HOME: dir, TZ: 'UTC', LC_ALL: 'C', TERM: 'dumb' },
    },
  )
  const mine = child
  mine.once('exit', (code, signal) => {
    if (mine !== child || isStopping) return
    console.error(`the engine ended: ${code ?? signal}`)
    process.exit(1)
  })
  await new Promise((resolve) => {
    let output = ''
    mine.stdout.setEncoding('utf8').on('data', (text) => {
      output = (output + text).slice(-2000)
      if (!output.includes('READY\n')) return
      if (!output.includes('CONFINED\n'))
        console.error('no Landlock: functions such as file() read what a real server would refuse')
      resolve()
    })
  })
}
async function stop() {
  const mine = child
  child = undefined
  const gone = new Promise((resolve) => mine.once('exit', resolve))
  mine.stdin.on('error', () => {}).end()
  const timer = setTimeout(() => mine.kill('SIGKILL'), 8000)
  await gone
  clearTimeout(timer)
}

// Statements of rackrate about accounts (sql/clickhouse/accounts), and the drops in its tests.
const rules = [
  [
    /^CREATE SETTINGS PROFILE OR REPLACE (\w+) SETTINGS (.*)$/is,
    (name, settings) => {
      state.profiles[name] = Object.fromEntries(
        [...settings.matchAll(/(\w+)\s*=\s*(?:'([^']*)'|([^\s,]+))/g)].map(([, key, word, plain]) => [
          key,
          word ?? plain,
        ]),
      )
    },
  ],
  [
    /^CREATE USER (IF NOT EXISTS )?(\w+) IDENTIFIED WITH sha256_hash BY '(\w+)'(?: SETTINGS PROFILE '?(\w+)'?)?$/is,
    (_, name, hash, profile) => {
      state.users[name] ??= { hash, profile, grants: [] }
    },
  ],
  [
    /^(GRANT .*) TO (\w+)$/is,
    (grant, name) => {
      const user = state.users[name]
      if (user && !user.grants.includes(grant)) user.grants.push(grant)
    },
  ],
  [
    /^CREATE QUOTA OR REPLACE (\w+) FOR INTERVAL 1 hour MAX (.*) TO (\w+)$/is,
    (name, most, user) => {
      state.quotas[name] = {
        seconds: 3600,
        ...Object.fromEntries([...most.matchAll(/(\w+)\s*=\s*(\d+)/g)].map(([, key, value]) => [key, value])),
      }
      if (state.users[user]) state.users[user].quota = name
    },
  ],
  [/^DROP USER IF EXISTS (\w+)$/is, (name) => delete state.users[name]],
  [/^DROP SETTINGS PROFILE IF EXISTS (\w+)$/is, (name) => delete state.profiles[name]],
  [/^DROP QUOTA IF EXISTS (\w+)$/is, (name) => delete state.quotas[name]],
]
const isOnAccounts =
  /^\s*(?:--.*\n\s*)*(?:(?:CREATE|ALTER|DROP)\s+(?:USER|ROLE|QUOTA|ROW\s+POLICY|SETTINGS\s+PROFILE)|GRANT|REVOKE)\b/i

let isDirty = false
let inFlight = 0
let renewal
const renewed = () =>
  (renewal ??= (async () => {
    // A request that waits for another one would never end, so the wait is bounded.
    for (const since = performance.now(); inFlight > 0 && performance.now() - since < 60_000; )
      await new Promise((r) => setTimeout(r, 20))
    isDirty = false
    await stop()
    await start()
  })().finally(() => {
    renewal = undefined
  }))

// Statement parameters are in the address, for which ClickHouse allows a megabyte.
const front = createServer({ maxHeaderSize: 2 ** 20 }, async (incoming, outgoing) => {
  try {
    const { method, headers, url } = incoming
    if (method === 'GET' && /^\/(\?.*)?$/.test(url) && !url.includes('query=')) return outgoing.end('Ok.\n')
    let body
    if (method === 'POST' && !/[?&]query=/.test(url)) {
      body = Buffer.concat(await incoming.toArray())
      const text = body.subarray(0, 4000).toString('utf8')
      if (isOnAccounts.test(text)) {
        const said = text
          .replace(/^\s*--.*\n/gm, '')
          .replace(/\s+/g, ' ')
          .replace(/;?\s*$/, '')
          .trim()
        const basic = Buffer.from(
          /^Basic (.*)$/.exec(headers.authorization ?? '')?.[1] ?? '',
          'base64',
        ).toString()
        const keyed = `${headers['x-clickhouse-user'] ?? ''}:${headers['x-clickhouse-key'] ?? ''}`
        const isAdmin = [basic, keyed].includes(`${admin.name}:${admin.password}`)
        const rule = rules.find(([pattern]) => pattern.test(said))
        const error =
          !isAdmin || !mayManage
            ? 'Code: 497. DB::Exception: Not enough privileges. (ACCESS_DENIED)'
            : !rule && 'Code: 48. DB::Exception: the stand-in does not know this statement. (NOT_IMPLEMENTED)'
        if (error)
          return outgoing.writeHead(500, { 'x-clickhouse-exception-code': /\d+/.exec(error)[0] }).end(error)
        rule[1](...rule[0].exec(said).slice(1))
        writeFileSync(stateFile, JSON.stringify(state))
        isDirty = true
        return outgoing.end()
      }
    }
    if (renewal || (isDirty && !/^\/(ping|replicas_status)/.test(url))) await renewed()
    inFlight++
    outgoing.once('close', () => inFlight--)
    if (body) {
      delete headers['transfer-encoding']
      headers['content-length'] = body.length
    }
    const sent = request({ port, host: '127.0.0.1', method, path: url, headers })
    sent.on('response', (response) => {
      outgoing.writeHead(response.statusCode, response.headers)
      response.pipe(outgoing)
      response.on('error', () => outgoing.destroy())
    })
    sent.on('error', () => outgoing.destroy())
    outgoing.on('close', () => sent.destroy())
    if (body) sent.end(body)
    else incoming.pipe(sent)
  } catch (error) {
    console.error(error)
    outgoing.destroy()
  }
})
front.keepAliveTimeout = 10_000
for (const signal of ['SIGTERM', 'SIGINT'])
  process.on(signal, async () => {
    isStopping = true
    front.close()
    if (child) await stop()
    process.exit(0)
  })
await start()
if (database)
  await fetch(`http://127.0.0.1:${port}/`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${admin.name}:${admin.password}`).toString('base64')}` },
    body: `CREATE DATABASE IF NOT EXISTS ${database}`,
  }).then(async (response) => response.ok || console.error(await response.text()))
front.listen(8123, '0.0.0.0', () => console.error('listening on 8123'))
