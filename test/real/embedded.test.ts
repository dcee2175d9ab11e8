import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DataDirInUseError, isHeld } from '../../embedded/data-dir-lock.ts'
import { type Engines, findEngines, startEngines } from '../../embedded/engines.ts'
import { askClickHouse, askPostgres } from '../own-engines.ts'

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

  it('do not start with a damaged password file, which is named', async () => {
    writeFileSync(join(dir, 'postgres.json'), '{"port": 54')
    await expect(startEngines(dir, both)).rejects.toThrow(`${dir}/postgres.json is damaged`)
    expect(isHeld(dir)).toBe(false)
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
