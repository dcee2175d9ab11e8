import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { DataDirInUseError } from '../../embedded/data-dir-lock.ts'
import { type Engines, findEngines, startEngines } from '../../embedded/engines.ts'

const both = { postgres: true, clickhouse: true }
let dir: string
let engines: Engines | undefined

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'rackrate-embedded-'))
})
afterEach(async () => {
  await engines?.stop()
  engines = undefined
  rmSync(dir, { recursive: true, force: true })
})

/** Asks ClickHouse over HTTP, as its account or another one. */
async function ask(
  query: string,
  credentials?: { user: string; password: string },
): Promise<{ ok: boolean; text: string }> {
  const server = engines?.clickhouse
  if (!server) throw new Error('no ClickHouse')
  const { user, password } = credentials ?? { user: server.username, password: server.password }
  const response = await fetch(server.url, {
    method: 'POST',
    body: query,
    headers: { authorization: `Basic ${btoa(`${user}:${password}`)}`, connection: 'close' },
  })
  return { ok: response.ok, text: await response.text() }
}

async function sql(query: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: engines?.databaseUrl })
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query(query)
  await client.end()
  return rows
}

const processesOf = (path: string) =>
  execFileSync('ps', ['-eo', 'pid=,stat=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(path) && !/^\s*\d+\s+Z/.test(line))

describe('the embedded engines', () => {
  it('start, keep their data and their addresses, and leave nothing running', async () => {
    engines = await startEngines(dir, both)
    const { databaseUrl, clickhouse } = engines
    await ask('CREATE DATABASE rackrate')
    await ask('CREATE TABLE rackrate.t (x UInt8) ENGINE = MergeTree ORDER BY x')
    await ask('INSERT INTO rackrate.t VALUES (7)')
    await sql('CREATE TABLE t AS SELECT 7 AS x')
    expect(findEngines(dir)).toEqual({ databaseUrl, clickhouse })
    await engines.stop()
    expect(findEngines(dir)).toBeUndefined()
    expect(processesOf(dir)).toEqual([])

    engines = await startEngines(dir, both)
    expect(findEngines(dir)).toEqual({ databaseUrl, clickhouse })
    expect((await ask('SELECT x FROM rackrate.t')).text).toBe('7\n')
    expect(await sql('SELECT x FROM t')).toEqual([{ x: 7 }])
  })

  it('refuse a second process on the same directory, in one sentence', async () => {
    engines = await startEngines(dir, { postgres: false, clickhouse: true })
    const second = startEngines(dir, both)
    await expect(second).rejects.toThrow(DataDirInUseError)
    await expect(second).rejects.toThrow(
      `Data directory ${dir} is in use by process ${process.pid}. Stop it first, or choose another with RACKRATE_DATA_DIR.`,
    )
  })

  it('come back at once, with all acknowledged data, after their parent was killed', async () => {
    const module = createRequire(import.meta.url).resolve('#dist/embedded/engines.js')
    const script = `const { startEngines } = await import(${JSON.stringify(module)}); await startEngines(${JSON.stringify(dir)}, { postgres: true, clickhouse: true }); console.log('up'); setInterval(() => {}, 1e6)`
    for (let n = 0; n < 3; n += 1) {
      const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      await new Promise((resolve) => parent.stdout.once('data', resolve))
      const found = findEngines(dir)
      engines = { ...found, stop: async () => {} }
      await ask('CREATE DATABASE IF NOT EXISTS rackrate')
      await ask('CREATE TABLE IF NOT EXISTS rackrate.t (x UInt8) ENGINE = MergeTree ORDER BY x')
      expect((await ask(`INSERT INTO rackrate.t VALUES (${n})`)).ok).toBe(true)
      await sql(`CREATE TABLE t${n} AS SELECT 1 AS x`)
      parent.kill('SIGKILL')
      await new Promise((resolve) => parent.once('exit', resolve))
    }
    engines = await startEngines(dir, both)
    expect((await ask('SELECT x FROM rackrate.t ORDER BY x')).text).toBe('0\n1\n2\n')
    expect(await sql('SELECT (SELECT count(*)::int FROM t0) + (SELECT count(*)::int FROM t2) AS n')).toEqual([
      { n: 2 },
    ])
  })

  it.each(['clickhouse/pid', 'postgres.pid'])(
    'a killed engine (%s) is started again at its address',
    async (file) => {
      const logged: string[] = []
      engines = await startEngines(dir, { ...both, onLog: (_engine, text) => logged.push(text) })
      process.kill(Number(readFileSync(join(dir, file), 'utf8')), 'SIGKILL')
      await vi.waitFor(() => expect(logged.join('')).toMatch(/ended by itself/), { timeout: 60_000 })
      await vi.waitFor(
        async () =>
          expect([(await ask('SELECT 1')).text, await sql('SELECT 1 AS x')]).toEqual(['1\n', [{ x: 1 }]]),
        { timeout: 60_000, interval: 200 },
      )
    },
  )

  it('a PostgreSQL server that is killed again and again is back within seconds each time', async () => {
    engines = await startEngines(dir, { postgres: true, clickhouse: false })
    await sql('CREATE TABLE kept AS SELECT 7 AS x')
    const back: number[] = []
    for (let n = 0; n < 5; n += 1) {
      const [pid] = readFileSync(join(dir, 'postgres/postmaster.pid'), 'utf8').split('\n')
      process.kill(Number(pid), 'SIGKILL')
      const killedAt = Date.now()
      await vi.waitFor(
        async () => {
          expect(readFileSync(join(dir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]).not.toBe(pid)
          expect(await sql('SELECT x FROM kept')).toEqual([{ x: 7 }])
        },
        { timeout: 90_000, interval: 50 },
      )
      back.push(Date.now() - killedAt)
    }
    expect(back.sort((a, b) => a - b)[2]).toBeLessThan(30_000)
  })

  it('start PostgreSQL again while a session of the killed one still computes', async () => {
    engines = await startEngines(dir, { postgres: true, clickhouse: false })
    const client = new pg.Client({ connectionString: engines.databaseUrl })
    client.on('error', () => {})
    await client.connect()
    const endless = client.query('DO $$ BEGIN LOOP PERFORM 1; END LOOP; END $$').catch(() => {})
    const computes = `SELECT count(*)::int AS n FROM pg_stat_activity WHERE query LIKE 'DO %' AND state = 'active'`
    await vi.waitFor(async () => expect(await sql(computes)).toEqual([{ n: 1 }]), 50_000)
    for (const file of ['postgres.pid', 'postgres/postmaster.pid'])
      process.kill(Number.parseInt(readFileSync(join(dir, file), 'utf8'), 10), 'SIGKILL')
    await vi.waitFor(async () => expect(await sql(computes)).toEqual([{ n: 0 }]), {
      timeout: 90_000,
      interval: 100,
    })
    await endless
  })

  it('give nothing away to who has no password', async () => {
    engines = await startEngines(dir, both)
    await ask('CREATE DATABASE rackrate')
    await ask('CREATE TABLE rackrate.t (x UInt8) ENGINE = MergeTree ORDER BY x')
    const nobody = { user: 'default', password: '' }
    for (const query of [
      'SELECT * FROM rackrate.t',
      "SELECT * FROM file('/etc/passwd', LineAsString)",
      'SELECT * FROM system.users',
      'CREATE DATABASE mine',
      'SYSTEM SHUTDOWN',
    ]) {
      expect((await ask(query, nobody)).ok, query).toBe(false)
    }
    expect((await ask('SELECT 1', { user: 'rackrate', password: 'wrong' })).ok).toBe(false)
    for (const query of [
      `SELECT * FROM file('/etc/passwd', LineAsString)`,
      `SELECT * FROM url('http://127.0.0.1:1/', LineAsString)`,
      'CREATE DATABASE other',
      `INSERT INTO FUNCTION file('x', TSV, 'x UInt8') VALUES (1)`,
    ]) {
      expect((await ask(query)).ok, query).toBe(false)
    }
    for (const file of ['clickhouse.json', 'postgres.json', 'engines.json', 'lock']) {
      expect(statSync(join(dir, file)).mode & 0o077, file).toBe(0)
    }
    expect(existsSync(join(dir, 'clickhouse/conf'))).toBe(false)
  })
})
