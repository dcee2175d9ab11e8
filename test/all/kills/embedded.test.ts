import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Engines, findEngines, startEngines } from '../../../embedded/engines.ts'
import { askClickHouse, askPostgres } from '../../own-engines.ts'

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

const ask = (query: string, credentials?: { user: string; password: string }) =>
  askClickHouse(engines, query, credentials)
const sql = (query: string) => askPostgres(engines, query)

describe('the embedded engines', () => {
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
})
