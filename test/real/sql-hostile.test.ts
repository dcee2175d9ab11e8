import { execFile, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { adHocMemoryBytes } from '../../embedded/ad-hoc-process.ts'
import { type Engines, startEngines } from '../../embedded/engines.ts'
import { capture, currentSlot } from '../../ingest/capture.ts'
import { loadAll } from '../../ingest/load.ts'
import { execute, selectRows } from '../../platform/stores/clickhouse.ts'
import { createKeyFor } from '../../src/companion/keys/key-for-role.ts'
import { freshDatabases } from '../database.ts'
import { smallMarket } from '../market.ts'
import { startServer, type TestServer } from '../server.ts'

const run = promisify(execFile)
const canTest = inject('engines').clickhouse.analyst !== undefined
const isRoot = process.getuid?.() === 0

// An engine of its own: other tests must not feel what happens here.
let dir: string
let engines: Engines
let server: TestServer
let base: string
beforeAll(async () => {
  if (!canTest) return
  dir = mkdtempSync(join(tmpdir(), 'rackrate-hostile-'))
  engines = await startEngines(dir, { postgres: false, clickhouse: true, database: 'test_*' })
  server = await startServer({ databases: await freshDatabases(undefined, engines.clickhouse) })
  await smallMarket(server.postgres, 40)
  await capture(server.postgres, await currentSlot(server.postgres, 300))
  await loadAll(server)
  base = await server.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await server?.close()
  await engines?.stop()
  if (dir) rmSync(dir, { recursive: true, force: true })
})

const ask = async (query: string, key = server.adminKey) => {
  const response = await fetch(`${base}/api/v0/metrics/sql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query, format: 'TSV' }),
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}
/** The values of the only row, once the engine has come back. */
const works = () =>
  vi.waitFor(
    async () =>
      expect(await ask('SELECT count() > 0 AS n FROM observations')).toMatchObject({
        status: 200,
        text: 'n\n1\n',
      }),
    {
      timeout: 60_000,
      interval: 500,
    },
  )
/** Waits until the engine runs a statement with this text. */
const begun = (text: string) =>
  vi.waitFor(
    async () => {
      if (!server.adHoc) throw new Error('no ad hoc SQL')
      const { username } = engines.clickhouse?.analyst ?? {}
      const running = `SELECT query FROM system.processes WHERE user = '${username}'`
      const found = await selectRows<{ query: string }>(server.adHoc.operator, running)
      expect(found.filter(({ query }) => query.includes(text))).toHaveLength(1)
    },
    { timeout: 60_000, interval: 100 },
  )

/** The processes of ad hoc SQL. */
const processes = () =>
  readdirSync('/proc').filter((pid) => {
    try {
      return (
        /^\d+$/.test(pid) &&
        readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(join(dir, 'clickhouse/ad-hoc'))
      )
    } catch {
      return false
    }
  })
const residentOf = (pid: string): number => {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}

describe.skipIf(!canTest)('what a statement may not read', () => {
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
    const { status, text } = await ask(`SELECT file('${path}')`)
    expect([400, 403], text.slice(0, 200)).toContain(status)
  })

  it('files of the engines, among them their configuration and logs', async () => {
    const found = execFileSync('find', [dir, '-type', 'f', '-not', '-path', '*/ad-hoc/*/data/*'], {
      encoding: 'utf8',
    })
    const readable = (path: string) => path.includes('/data/store/') // the tables, which the account may read anyway
    const private_ = found.split('\n').filter((path) => path && !readable(path))
    expect(private_.length).toBeGreaterThan(4)
    expect(private_.filter((path) => path.endsWith('.xml'))).toEqual([])
    for (const path of private_) {
      const { status, text } = await ask(`SELECT file('${path}')`)
      expect([400, 403], `${path} ${text.slice(0, 200)}`).toContain(status)
    }
    // Other databases of the same engine are not the account's.
    await vi.waitFor(async () => {
      await execute(server.clickhouse, 'SYSTEM FLUSH LOGS query_log')
      const log = execFileSync(
        'find',
        [join(dir, 'clickhouse/data/store'), '-name', 'query.bin', '-o', '-name', 'data.bin'],
        { encoding: 'utf8' },
      )
      const foreign = log.split('\n').filter(Boolean)
      const own = readFileSync(
        join(dir, 'clickhouse/data/metadata', `${server.clickhouseAddress.database}.sql`),
        'utf8',
      )
      expect([foreign.length > 0, own.length > 0]).toEqual([true, true])
    }, 60_000)
    const systemTable = execFileSync(
      'sh',
      ['-c', `grep -o "UUID '[^']*'" ${dir}/clickhouse/data/metadata/system/query_log.sql | cut -d"'" -f2`],
      { encoding: 'utf8' },
    ).trim()
    const { status } = await ask(
      `SELECT file('${dir}/clickhouse/data/store/${systemTable.slice(0, 3)}/${systemTable}/format_version.txt')`,
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
    const { status, text } = await ask(query)
    expect([400, 403], text.slice(0, 200)).toContain(status)
    expect(text).not.toMatch(/root:x:/)
  })
})

describe.skipIf(!canTest)('without the password of an account', () => {
  const nobody = isRoot ? ['setpriv', '--reuid=65534', '--clear-groups', 'curl'] : ['curl']
  if (!isRoot)
    console.warn('Requests of another user of the machine are made by this one: only root may change users')
  // Not in step with this process: it is the one that answers.
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
    await works()
    const port = Number((await ask("SELECT getServerPort('http_port') AS p")).text.split('\n')[1])
    const { url = '', analyst } = engines.clickhouse ?? {}
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
    const files = execFileSync('find', [dir, '-type', 'f'], { encoding: 'utf8' }).trim().split('\n')
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

describe.skipIf(!canTest)('statements that take too much', () => {
  const polygon = (seed: number) =>
    `[[arrayMap(i -> (randCanonical(i + ${seed}), randCanonical(i + ${seed + 1})), range(20000))]]`
  /** Waits inside one function call for what never comes: the process reads a pipe of its own. */
  const stuck = async () => {
    await works()
    const folder = `/proc/${processes()[0]}/fd`
    const pipe = readdirSync(folder).find((fd) => readlinkSync(join(folder, fd)).startsWith('pipe:'))
    return `SELECT file('/proc/self/fd/${pipe}')`
  }
  const bombs: [string, string][] = [
    ['polygonsUnionCartesian', `SELECT length(polygonsUnionCartesian(${polygon(1)}, ${polygon(3)}))`],
    [
      'polygonsSymDifferenceCartesian',
      `SELECT length(polygonsSymDifferenceCartesian(${polygon(1)}, ${polygon(3)}))`,
    ],
    ['h3kRing', 'SELECT length(h3kRing(644325529233966508, 5000))'],
    [
      'h3kRing many times',
      'SELECT sum(length(h3kRing(644325529233966508, toUInt16(1000 + number)))) FROM numbers(1000)',
    ],
    [
      'threads and memory raised in a subquery',
      'SELECT count() FROM (SELECT groupArray(number) FROM numbers_mt(4000000000) SETTINGS max_threads = 64, max_memory_usage = 0, max_memory_usage_for_user = 0)',
    ],
    ['one long value', "SELECT length(repeat(repeat('x', 1000000), 1000000))"],
    [
      'a wide join',
      "SELECT count() FROM numbers(100000000) a CROSS JOIN numbers(100000000) b SETTINGS join_algorithm = 'hash'",
    ],
    ['many arrays', 'SELECT arrayMap(x -> range(10000000), range(1000))'],
  ]

  const cube = `SELECT count() FROM (SELECT 1 FROM numbers(100) GROUP BY CUBE (${Array.from({ length: 24 }, (_, n) => `number % ${n + 2}`).join()}))`
  const refused = [400, 403, 422, 500, 503]

  /** Looks meanwhile at the memory of ad hoc SQL, and reads the price history. */
  const whileWatching = async (work: () => Promise<unknown>) => {
    let [most, isOver] = [0, false]
    const history: number[] = []
    const watching = (async () => {
      while (!isOver) {
        most = Math.max(
          most,
          processes().reduce((sum, pid) => sum + residentOf(pid), 0),
        )
        await pause(50)
      }
    })()
    const reading = (async () => {
      while (!isOver) {
        const at = Date.now()
        const { status } = await server.get(
          `/api/v0/metrics/gpu/history?gpu_name=RTX_4090&end=${Math.floor(at / 1000) - history.length}`,
        )
        expect(status).toBe(200)
        history.push(Date.now() - at)
        await pause(250)
      }
    })()
    await work().finally(() => {
      isOver = true
    })
    await Promise.all([watching, reading])
    const memory = `ad hoc SQL held at most ${Math.round(most / 2 ** 20)} MB`
    console.log(`${memory}; history took at most ${Math.max(...history)} ms in ${history.length} reads`)
    expect(most).toBeLessThan(adHocMemoryBytes + 256 * 2 ** 20)
    expect(history.length).toBeGreaterThan(10)
  }

  it('are bounded by the operating system, and the price history goes on', () =>
    whileWatching(async () => {
      for (const [name, query] of bombs) {
        const { status, text } = await ask(query)
        expect([200, ...refused], `${name}: ${status} ${text.slice(0, 300)}`).toContain(status)
        await works()
      }
    }))

  it('a statement that does not end costs the engine a restart when its caller has left', async () => {
    await works()
    const [before] = processes()
    const leaving = new AbortController()
    const asked = fetch(`${base}/api/v0/metrics/sql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.adminKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: await stuck() }),
      signal: leaving.signal,
    })
    const left = expect(asked).rejects.toThrow()
    await begun("SELECT file('/proc")
    leaving.abort()
    await left
    await vi.waitFor(() => expect(processes()).not.toContain(before), { timeout: 60_000, interval: 500 })
    await works()
  })

  it('that do not end are ended after a minute, by the engine or from outside, with a clear error', () =>
    whileWatching(async () => {
      const endless = ask(await stuck())
      await begun("SELECT file('/proc")
      const planned = await ask(cube)
      expect(refused, `${planned.status} ${planned.text.slice(0, 300)}`).toContain(planned.status)
      const { status, text } = await endless
      expect([status, JSON.parse(text).error]).toEqual([422, 'limit_exceeded'])
      await works()
    }))
})

describe.skipIf(!canTest)('the engine of ad hoc SQL', () => {
  it('that is killed is noticed by its statements only', async () => {
    await works()
    const asked = ask('SELECT count() FROM numbers(4900000000) WHERE sipHash64(number) = 1')
    await begun('sipHash64(number) = 1')
    for (const pid of processes()) process.kill(Number(pid), 'SIGKILL')
    expect(await asked).toMatchObject({ status: 503, text: expect.stringContaining('unavailable') })
    await works()
    expect((await server.get('/api/v0/metrics/gpu/names')).status).toBe(200)
  })

  it('answers on a connection that nobody used for some seconds', async () => {
    const { url, username, password } = engines.clickhouse?.analyst ?? {}
    const address = `${url}/?database=${server.clickhouseAddress.database}&query=SELECT+1`
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const asked = async () => {
      const sent = request(address, {
        agent,
        auth: `${username}:${password}`,
        method: 'POST',
      })
      const [response] = (await once(sent.end(), 'response')) as [IncomingMessage]
      response.resume()
      await once(response, 'end')
      return { status: response.statusCode, reused: sent.reusedSocket }
    }
    await works()
    await asked()
    await pause(8000)
    expect(await asked()).toEqual({ status: 200, reused: true })
    agent.destroy()
  })

  it('sees new, merged, changed and dropped data within seconds', async () => {
    const count = async () => Number((await ask('SELECT count() AS n FROM slots FINAL')).text.split('\n')[1])
    const insert = (from: number) =>
      execute(
        server.clickhouse,
        `INSERT INTO slots SELECT toDateTime(1600000000 + (number + ${from}) * 300), 'test', 1, true, number FROM numbers(10)`,
      )
    const sees = (n: number) =>
      vi.waitFor(async () => expect(await count()).toBe(n), { timeout: 120_000, interval: 200 })
    const first = await count()
    await insert(0)
    await sees(first + 10)
    await insert(10)
    await execute(server.clickhouse, 'OPTIMIZE TABLE slots FINAL')
    await sees(first + 20)
    await execute(server.clickhouse, 'DELETE FROM slots WHERE slot = toDateTime(1600000000)')
    await sees(first + 19)
    const { database } = server.clickhouseAddress
    await execute(server.clickhouse, `ALTER TABLE ${database}.slots DROP PARTITION tuple()`)
    await sees(0)
    await insert(0)
    await sees(10)
    await execute(server.clickhouse, 'ALTER TABLE slots ADD COLUMN added UInt8 DEFAULT 7')
    expect(await ask('SELECT max(added) AS n FROM slots')).toMatchObject({ status: 200, text: 'n\n7\n' })
  })
})

describe.skipIf(!canTest)('the limits of an account', () => {
  it('count every statement, and outlast the engine', async () => {
    const { key } = await createKeyFor(server.postgres, { role: 'admin' })
    expect((await ask('SELECT 1', key)).status).toBe(200)
    const { rows } = await server.postgres.query<{ account_id: number }>(
      'SELECT account_id FROM sql_queries ORDER BY started_at DESC LIMIT 1',
    )
    const fill = (values: string, count: number) =>
      server.postgres.query(
        `INSERT INTO sql_queries (id, account_id, query, format, outcome, started_at, finished_at, result_rows)
         SELECT gen_random_uuid(), $1, 'SELECT 1', 'JSON', 'done', ${values} FROM generate_series(1, $2)`,
        [rows[0]?.account_id, count],
      )
    const clear = () =>
      server.postgres.query('DELETE FROM sql_queries WHERE account_id = $1', [rows[0]?.account_id])
    const full = [
      ["now() - interval '50 minutes', now() - interval '50 minutes', 1", 2000],
      ["now() - interval '50 minutes', now() - interval '49 minutes', 1", 60],
      ["now() - interval '50 minutes', now() - interval '50 minutes', 1000000", 100],
    ] as const
    for (const [values, count] of full) {
      await clear()
      await fill(values, count)
      for (const pid of processes()) process.kill(Number(pid), 'SIGKILL')
      const refused = await ask('SELECT 1', key)
      expect([refused.status, JSON.parse(refused.text).error]).toEqual([429, 'too_many_requests'])
      const retryAfter = Number(refused.headers.get('retry-after'))
      expect(retryAfter).toBeGreaterThan(500)
      expect(retryAfter).toBeLessThan(601)
    }
    await clear()
    await fill("now() - interval '61 minutes', now() - interval '61 minutes', 1000000", 3000)
    await vi.waitFor(async () => expect((await ask('SELECT 1', key)).status).toBe(200), { timeout: 60_000 })
  })
})
