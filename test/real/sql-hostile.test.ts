import { execFile, execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { execute } from '../../platform/stores/clickhouse.ts'
import { createKeyFor } from '../../src/companion/keys/key-for-role.ts'
import { hasAdHoc } from '../ad-hoc.ts'
import { type HostileSite, openHostileSite } from '../hostile-site.ts'

const run = promisify(execFile)
const isRoot = process.getuid?.() === 0

let site: HostileSite
beforeAll(async () => {
  if (hasAdHoc) site = await openHostileSite()
})
afterAll(() => site?.close())

describe.skipIf(!hasAdHoc)('a statement cannot read', () => {
  const files = [
    '/dev/pts/0',
    '/dev/pts/1',
    '/dev/pts/2',
    '/dev/pts/3',
    '/dev/pts/ptmx',
    '/dev/ptmx',
    '/dev/tty',
    '/dev/tty1',
    '/dev/console',
    '/dev/stdin',
    '/dev/fd/0',
    '/dev/mem',
    '/dev/kmsg',
    '/dev/zero',
    '/dev/urandom',
    '/proc/self/environ',
    '/proc/self/cmdline',
    '/proc/self/status',
    '/proc/self/mem',
    '/proc/self/mountinfo',
    '/proc/self/net/tcp',
    '/proc/self/net/arp',
    '/proc/self/fd/0',
    '/proc/self/task/1/environ',
    '/proc/thread-self/environ',
    '/proc/self/root/etc/passwd',
    '/proc/self/cwd/../conf/users.xml',
    '/proc/1/environ',
    '/proc/1/cmdline',
    '/proc/meminfo',
    '/proc/cpuinfo',
    '/proc/version',
    '/proc/sys/kernel/hostname',
    '/proc/net/tcp',
    '/proc/mounts',
    '/sys/class/net/eth0/address',
    '/sys/class/net/lo/address',
    '/sys/kernel/mm/transparent_hugepage/enabled',
    '/etc/passwd',
    '/etc/shadow',
    '/etc/hostname',
    '/etc/hosts',
    '/usr/lib/os-release',
    '/root/.bashrc',
    '/var/log/syslog',
  ]
  it.each(files)('%s', async (path) => {
    const { status, text } = await site.ask(`SELECT file('${path}')`)
    expect([400, 403], text.slice(0, 200)).toContain(status)
  })

  it('files of the engines, among them their configuration and logs', async () => {
    const found = execFileSync('find', [site.dir, '-type', 'f', '-not', '-path', '*/ad-hoc/*/data/*'], {
      encoding: 'utf8',
    })
    const readable = (path: string) => path.includes('/data/store/') // the tables, which the account may read anyway
    const private_ = found.split('\n').filter((path) => path && !readable(path))
    expect(private_.length).toBeGreaterThan(4)
    expect(private_.filter((path) => path.endsWith('.xml'))).toEqual([])
    for (const path of private_) {
      const { status, text } = await site.ask(`SELECT file('${path}')`)
      expect([400, 403], `${path} ${text.slice(0, 200)}`).toContain(status)
    }
    // Other databases of the same engine are not the account's.
    await vi.waitFor(async () => {
      await execute(site.server.clickhouse, 'SYSTEM FLUSH LOGS query_log')
      const log = execFileSync(
        'find',
        [join(site.dir, 'clickhouse/data/store'), '-name', 'query.bin', '-o', '-name', 'data.bin'],
        { encoding: 'utf8' },
      )
      const foreign = log.split('\n').filter(Boolean)
      const own = readFileSync(
        join(site.dir, 'clickhouse/data/metadata', `${site.server.clickhouseAddress.database}.sql`),
        'utf8',
      )
      expect([foreign.length > 0, own.length > 0]).toEqual([true, true])
    }, 60_000)
    const systemTable = execFileSync(
      'sh',
      [
        '-c',
        `grep -o "UUID '[^']*'" ${site.dir}/clickhouse/data/metadata/system/query_log.sql | cut -d"'" -f2`,
      ],
      { encoding: 'utf8' },
    ).trim()
    const { status } = await site.ask(
      `SELECT file('${site.dir}/clickhouse/data/store/${systemTable.slice(0, 3)}/${systemTable}/format_version.txt')`,
    )
    expect([400, 403]).toContain(status)
  })

  it.each([
    "SELECT * FROM file('/etc/passwd', LineAsString)",
    "SELECT * FROM file('/dev/stdin', LineAsString)",
    "SELECT * FROM executable('cat', TSV, 'x String')",
    "SELECT * FROM url('http://127.0.0.1:1/', LineAsString)",
    "SELECT * FROM remote('127.0.0.1', system.one)",
    "INSERT INTO FUNCTION file('x', TSV) SELECT 1",
    'SELECT * FROM system.query_log',
    'SELECT * FROM system.processes',
    'SELECT * FROM system.users',
    'SELECT * FROM (SELECT * FROM system.users SETTINGS readonly = 0)',
    "SELECT * FROM (SELECT file('/etc/passwd') SETTINGS readonly = 0, allow_introspection_functions = 1)",
    'SYSTEM START LISTEN TCP',
    'KILL QUERY WHERE 1',
    'CREATE TABLE x (a Int8) ENGINE = Memory',
    'INSERT INTO observations (slot) VALUES (1)',
    'DROP TABLE observations',
  ])('%s', async (query) => {
    const { status, text } = await site.ask(query)
    expect([400, 403], text.slice(0, 200)).toContain(status)
    expect(text).not.toMatch(/root:x:/)
  })
})

describe.skipIf(!hasAdHoc)('without the password of an account', () => {
  const nobody = isRoot ? ['setpriv', '--reuid=65534', '--clear-groups', 'curl'] : ['curl']
  if (!isRoot)
    console.warn('Requests of another user of the machine are made by this one: only root may change users')
  // The engine starts independently of this process, so the test waits until it answers.
  const curl = async (url: string, ...args: string[]) => {
    const [program = 'curl', ...first] = nobody
    const all = [...first, '-sS', '-m', '10', '-w', '\n%{http_code}', ...args, url]
    const { stdout } = await run(program, all)
    const lines = stdout.trimEnd().split('\n')
    return { status: Number(lines.at(-1)), text: lines.slice(0, -1).join('\n') }
  }
  const statements = [
    'SELECT 41 + 1',
    'SELECT hostName()',
    "SELECT file('/etc/passwd')",
    "SELECT file('/dev/pts/0')",
    'SELECT currentUser()',
    'SHOW DATABASES',
  ]

  it('no address answers a statement, for another user of the machine or a web page', async () => {
    await site.works()
    const port = Number((await site.ask("SELECT getServerPort('http_port') AS p")).text.split('\n')[1])
    const { url = '', analyst } = site.engines.clickhouse ?? {}
    for (const address of [url, analyst?.url ?? '', `http://127.0.0.1:${port}`]) {
      for (const statement of statements) {
        const query = encodeURIComponent(statement)
        const attempts = [
          await curl(`${address}/?query=${query}`),
          await curl(`${address}/?query=${query}&user=default`),
          await curl(
            `${address}/?query=${query}&add_http_cors_header=1`,
            '-H',
            'Origin: http://evil.example',
            '-H',
            'Host: evil.example',
          ),
          await curl(address, '--data-binary', statement, '-H', 'X-ClickHouse-User: default'),
          await curl(address, '--data-binary', statement, '-u', 'default:'),
          await curl(address, '--data-binary', statement, '-u', 'rackrate:wrong'),
          await curl(address, '--data-binary', statement, '-u', 'rackrate_sql:'),
        ]
        for (const { status, text } of attempts) {
          expect([401, 403, 404], `${address} ${statement}: ${text.slice(0, 200)}`).toContain(status)
          expect(text).not.toMatch(/^42$|root:x:/m)
        }
      }
      for (const path of ['/play', '/dashboard', '/replicas_status', '/metrics'])
        expect([403, 404], path).toContain((await curl(`${address}${path}`)).status)
    }
  })

  it.skipIf(!isRoot)('no file of the data directory can be read by another user', () => {
    const files = execFileSync('find', [site.dir, '-type', 'f'], { encoding: 'utf8' }).trim().split('\n')
    const args = [
      '--reuid=65534',
      '--clear-groups',
      'sh',
      '-c',
      'for f; do test -r "$f" && echo "$f"; done; true',
      'sh',
      ...files,
    ]
    expect(execFileSync('setpriv', args, { encoding: 'utf8' })).toBe('')
  })
})

describe.skipIf(!hasAdHoc)('the engine of ad hoc SQL', () => {
  it('is restarted after a kill, which only its statements notice', async () => {
    await site.works()
    const asked = site.ask('SELECT count() FROM numbers(4900000000) WHERE sipHash64(number) = 1')
    await site.begun('sipHash64(number) = 1')
    for (const pid of site.processes()) process.kill(Number(pid), 'SIGKILL')
    expect(await asked).toMatchObject({ status: 503, text: expect.stringContaining('unavailable') })
    await site.works()
    expect((await site.server.get('/api/v0/metrics/gpu/names')).status).toBe(200)
  })

  it('sees new, merged, changed and dropped data within seconds', async () => {
    const count = async () =>
      Number((await site.ask('SELECT count() AS n FROM slots FINAL')).text.split('\n')[1])
    const insert = (from: number) =>
      execute(
        site.server.clickhouse,
        `INSERT INTO slots SELECT toDateTime(1600000000 + (number + ${from}) * 300), 'test', 1, true, number FROM numbers(10)`,
      )
    const sees = (n: number) =>
      vi.waitFor(async () => expect(await count()).toBe(n), { timeout: 120_000, interval: 200 })
    const first = await count()
    await insert(0)
    await sees(first + 10)
    await insert(10)
    await execute(site.server.clickhouse, 'OPTIMIZE TABLE slots FINAL')
    await sees(first + 20)
    await execute(site.server.clickhouse, 'DELETE FROM slots WHERE slot = toDateTime(1600000000)')
    await sees(first + 19)
    const { database } = site.server.clickhouseAddress
    await execute(site.server.clickhouse, `ALTER TABLE ${database}.slots DROP PARTITION tuple()`)
    await sees(0)
    await insert(0)
    await sees(10)
    await execute(site.server.clickhouse, 'ALTER TABLE slots ADD COLUMN added UInt8 DEFAULT 7')
    expect(await site.ask('SELECT max(added) AS n FROM slots')).toMatchObject({ status: 200, text: 'n\n7\n' })
  })
})

describe.skipIf(!hasAdHoc)('the limits of an account', () => {
  it('count every statement, and outlast the engine', async () => {
    const { key } = await createKeyFor(site.server.postgres, { role: 'admin' })
    expect((await site.ask('SELECT 1', key)).status).toBe(200)
    const { rows } = await site.server.postgres.query<{ account_id: number }>(
      'SELECT account_id FROM sql_queries ORDER BY started_at DESC LIMIT 1',
    )
    const fill = (values: string, count: number) =>
      site.server.postgres.query(
        `INSERT INTO sql_queries (id, account_id, query, format, outcome, started_at, finished_at, result_rows)
         SELECT gen_random_uuid(), $1, 'SELECT 1', 'JSON', 'done', ${values} FROM generate_series(1, $2)`,
        [rows[0]?.account_id, count],
      )
    const clear = () =>
      site.server.postgres.query('DELETE FROM sql_queries WHERE account_id = $1', [rows[0]?.account_id])
    const full = [
      ["rackrate_now() - interval '50 minutes', rackrate_now() - interval '50 minutes', 1", 2000],
      ["rackrate_now() - interval '50 minutes', rackrate_now() - interval '49 minutes', 1", 60],
      ["rackrate_now() - interval '50 minutes', rackrate_now() - interval '50 minutes', 1000000", 100],
    ] as const
    for (const [values, count] of full) {
      await clear()
      await fill(values, count)
      for (const pid of site.processes()) process.kill(Number(pid), 'SIGKILL')
      const refused = await site.ask('SELECT 1', key)
      expect([refused.status, JSON.parse(refused.text).error]).toEqual([429, 'too_many_requests'])
      const retryAfter = Number(refused.headers.get('retry-after'))
      expect(retryAfter).toBeGreaterThan(500)
      expect(retryAfter).toBeLessThan(601)
    }
    await clear()
    await fill(
      "rackrate_now() - interval '61 minutes', rackrate_now() - interval '61 minutes', 1000000",
      3000,
    )
    await vi.waitFor(async () => expect((await site.ask('SELECT 1', key)).status).toBe(200), {
      timeout: 60_000,
    })
  })
})
