import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { GpuHistory } from '../../contract/history.ts'
import { check, seriesRange } from '../../ingest/check.ts'
import { fillFlows } from '../../ingest/fill-flows.ts'
import { loadAll } from '../../ingest/load.ts'
import { execute, selectRows } from '../../platform/stores/clickhouse.ts'
import { migrate, throughDefault } from '../../platform/stores/migrate.ts'
import { loadSql, sqlNames } from '../../platform/stores/sql-files.ts'
import { plain } from '../../src/market/market-query/plain.ts'
import { freshDatabases, type TestDatabases } from '../database.ts'
import {
  emptied,
  firstSlot,
  previousQuery,
  previousSchema,
  previousSeries,
  previousSnapshot,
  schemaOf,
} from '../previous-release.ts'
import { killedMigrate } from '../properties/killed-migrate.ts'
import { startServer, type TestServer } from '../server.ts'

let server: TestDatabases
beforeAll(async () => {
  server = await freshDatabases()
})
afterAll(() => server?.close())

const upgrade = (options = {}) =>
  migrate(server.postgres, server.clickhouse, server.clickhouseAddress, options)
const record = (name: string, hash: string) =>
  execute(server.clickhouse, 'INSERT INTO migrations (name, hash) VALUES ({name:String}, {hash:String})', {
    name,
    hash,
  })
const postgresTables = async () =>
  (await server.postgres.query(`SELECT FROM pg_tables WHERE schemaname = 'public'`)).rowCount

describe('a database of the previous release', () => {
  const day = 86_400
  const every = { verified: 'all', hosting_type: 'all', num_gpus: 0 }
  const community = { verified: 'no', hosting_type: 'community', num_gpus: 0 }
  const rigs = { verified: 'all', hosting_type: 'secure_cloud', num_gpus: 4 }
  // On the ladder, whole hours off the ladder, finer off the ladder, single slots.
  const questions = [
    { ...every, step: 900, start: firstSlot, days: 3 },
    { ...community, step: day, start: firstSlot, days: 3 },
    { ...rigs, step: 7200, start: firstSlot, days: 3 },
    { ...every, step: 420, start: firstSlot, days: 3 },
    { ...community, step: 60, start: firstSlot, days: 3 },
    { ...rigs, step: 3600, start: firstSlot + 2 * day, days: 9 },
    { ...every, step: 7 * day, start: firstSlot + 2 * day, days: 9 },
  ]
  type Question = (typeof questions)[number]
  type Row = Record<string, number | string | null>
  interface Expected {
    timestamps: number[]
    /** Rows by GPU name and timestamp. */
    rows: Map<string, Row>
    stats: Map<string, Row>
  }

  /** What the statements of the previous release answer on its own database. */
  async function ask({ step, start, days, ...filter }: Question): Promise<Expected> {
    const range = { from: Math.floor(start / step) * step, to: Math.ceil((start + days * day) / step) * step }
    const names = (await selectRows<{ name: string }>(server.clickhouse, previousQuery('gpu_names'))).map(
      ({ name }) => name,
    )
    const query = (name: string, more: object = {}) =>
      selectRows<Row>(server.clickhouse, previousQuery(name), { ...filter, ...range, names, ...more })
    const timeline = (await query('history_timeline', { step })) as { start: number; last_slot: number }[]
    const stored = [900, 3600, 10_800, day, 7 * day].includes(step) ? step : step === 60 ? 1 : undefined
    const found = stored
      ? await query('history_stored', { stored_step: stored })
      : await query('history_computed', { step, hourly: step % 3600 === 0 })
    const startOf = new Map(timeline.map((one) => [stored === 1 ? one.last_slot : one.start, one.start]))
    return {
      timestamps: timeline.map((one) => one.start),
      rows: new Map(found.map((row) => [`${row.gpu_name} ${startOf.get(row.start as number)}`, row])),
      stats: new Map((await query('history_latest')).map((row) => [`${row.gpu_name}`, row])),
    }
  }

  async function expectSame(
    app: TestServer,
    { step, start, days, num_gpus, ...filter }: Question,
    expected: Expected,
  ) {
    const query = new URLSearchParams({
      ...filter,
      gpu_name: 'all',
      num_gpus: num_gpus === 0 ? 'all' : `${num_gpus}`,
      step: `${step}`,
      start: `${start}`,
      end: `${start + days * day}`,
    })
    const { status, headers, body } = await app.get(`/api/v0/metrics/gpu/history?${query}`)
    expect(status, JSON.stringify(body)).toBe(200)
    expect(Number(headers['rackrate-step'])).toBe(step)
    const { gpus } = body as { gpus: Record<string, GpuHistory> }
    expect(Object.keys(gpus)).toHaveLength(5)
    for (const [name, { supply_demand, pricing, stats }] of Object.entries(gpus)) {
      const { timestamps, bucket_size, ...counts } = supply_demand
      const { timestamps: same, ...prices } = pricing
      expect([timestamps, same], name).toEqual([expected.timestamps, expected.timestamps])
      expect(bucket_size).toBe(Math.max(1, num_gpus))
      const column = (of: string, otherwise: 0 | null) =>
        expected.timestamps.map((at) => expected.rows.get(`${name} ${at}`)?.[of] ?? otherwise)
      for (const [of, values] of Object.entries(counts))
        expect(values, `${name} ${of}`).toEqual(column(of, 0))
      for (const [of, values] of Object.entries(prices))
        expect(values, `${name} ${of}`).toEqual(column(of, null))
      const { gpu_name, ...figures } = expected.stats.get(name) ?? {}
      for (const [of, value] of Object.entries(stats))
        expect(value, `${name} ${of}`).toBe(plain(figures[of] ?? null))
    }
  }

  const dimensions = `SELECT DISTINCT host_id, country, gpu_ram, rental_type, min_gpus, terms
    FROM observations WHERE slot = {slot:UInt32}`

  it('is taken over with its data and answers as before', async () => {
    await previousSchema(server)
    await previousSeries(server.clickhouse)
    const before = []
    for (const question of questions) before.push(await ask(question))
    expect(before.flatMap(({ rows }) => [...rows.keys()]).length).toBeGreaterThan(200)
    const waiting = await previousSnapshot(server)
    const postgres = await postgresTables()

    const applied = await upgrade()
    expect(applied).toContain('clickhouse/migrations/001_slots')
    const later = sqlNames('postgres/migrations').filter((name) => name > 'postgres/migrations/009_retention')
    expect(applied.filter((name) => name.startsWith('postgres/'))).toEqual(later)
    const created = later.flatMap((name) => [...loadSql(name).matchAll(/^CREATE (?:UNLOGGED )?TABLE/gm)])
    expect(await postgresTables()).toBe(Number(postgres) + created.length)
    const { rows: unhashed } = await server.postgres.query('SELECT name FROM migrations WHERE hash IS NULL')
    expect(unhashed).toEqual([])
    expect(await upgrade()).toEqual([])

    const app = await startServer({ databases: server, seriesMaxAgeMs: 0 })
    for (const [index, question] of questions.entries()) {
      const expected = before[index]
      if (expected) await expectSame(app, question, expected)
    }
    await app.app.close()
    expect(await loadAll(server)).toBe(1)
    expect(await selectRows(server.clickhouse, dimensions, { slot: waiting.slot })).toEqual(waiting.observed)
    await execute(server.clickhouse, 'OPTIMIZE TABLE observations/*!_local ON CLUSTER $cluster*/ FINAL')
    expect(await selectRows(server.clickhouse, dimensions, { slot: firstSlot })).toHaveLength(1)
    const range = await seriesRange(server.clickhouse)
    // The past has no flows until they are made in the background. Its slots are two hours apart.
    await server.postgres.query('UPDATE flow_progress SET interval = 3600')
    const countOldest = 'SELECT count() > 0 AS made FROM flows WHERE hour < {from:UInt32} + 7200'
    expect(await selectRows(server.clickhouse, countOldest, { from: range.from })).toEqual([{ made: 0 }])
    expect(await fillFlows(server)).toBeGreaterThan(0)
    expect(await selectRows(server.clickhouse, countOldest, { from: range.from })).toEqual([{ made: 1 }])
    expect(await check(server, range)).toMatchObject({ problems: [] })
  })

  it('then has the schema of a new one', async () => {
    const taken = await schemaOf(server.clickhouse)
    await emptied(server)
    await upgrade()
    expect(taken).toEqual(await schemaOf(server.clickhouse))
  })

  it('is refused when its tables are of no known release', async () => {
    await previousSchema(server)
    await execute(
      server.clickhouse,
      'ALTER TABLE slots/*!_local ON CLUSTER $cluster*/ DROP COLUMN observations',
    )
    if (server.clickhouse.place)
      await execute(server.clickhouse, 'ALTER TABLE slots/*! ON CLUSTER $cluster*/ DROP COLUMN observations')
    await expect(upgrade()).rejects.toThrow('was made by an unknown release: columns are missing in slots')
  })
})

describe('a database of this release', () => {
  beforeEach(async () => {
    await emptied(server)
    await upgrade()
  })

  it('has nothing to apply, and does not apply it', async () => {
    await execute(server.clickhouse, 'DROP VIEW slot_rows/*! ON CLUSTER $cluster*/')
    expect(await upgrade()).toEqual([])
    expect((await schemaOf(server.clickhouse)).map(({ name }) => name)).not.toContain('slot_rows')
  })

  it('refuses a table file that has changed, in either store', async () => {
    const before = await schemaOf(server.clickhouse)
    await record('clickhouse/migrations/004_cube', 'hash of another text')
    const sentence =
      'has changed since the ClickHouse database applied it. Restore the file, and put the change in a new one.'
    await expect(upgrade()).rejects.toThrow(`sql/clickhouse/migrations/004_cube.sql ${sentence}`)
    await expect(upgrade({ again: true })).rejects.toThrow(sentence)
    expect(await schemaOf(server.clickhouse)).toEqual(before)

    await server.postgres.query(`UPDATE migrations SET hash = 'other' WHERE name LIKE '%002_market'`)
    await expect(upgrade()).rejects.toThrow(
      'sql/postgres/migrations/002_market.sql has changed since the PostgreSQL database applied it',
    )
  })

  it('makes a view anew whose file has changed, and no other', async () => {
    const before = await schemaOf(server.clickhouse)
    await execute(
      server.clickhouse,
      'CREATE OR REPLACE VIEW slot_rows/*! ON CLUSTER $cluster*/ AS SELECT 1 AS other',
    )
    await record('clickhouse/views/slot_rows', 'hash of another text')
    await record('clickhouse/views/slot_rows_all', 'hash of another text')
    expect(await upgrade()).toEqual(['clickhouse/views/slot_rows', 'clickhouse/views/slot_rows_all'])
    expect(await schemaOf(server.clickhouse)).toEqual(before)
    expect(await upgrade()).toEqual([])
  })

  it('of which one store is newer, is refused, and the other store stays untouched', async () => {
    await record('clickhouse/migrations/999_later', 'hash')
    await server.postgres.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
    await expect(upgrade()).rejects.toThrow(
      'The ClickHouse database was made by a newer release: it has clickhouse/migrations/999_later, which this release lacks',
    )
    expect(await postgresTables()).toBe(0)

    await emptied(server)
    await server.postgres.query(
      'CREATE TABLE migrations (name text PRIMARY KEY, hash text, applied_at timestamptz NOT NULL DEFAULT now())',
    )
    await server.postgres.query(`INSERT INTO migrations (name) VALUES ('postgres/migrations/999_later')`)
    await expect(upgrade()).rejects.toThrow(
      'The PostgreSQL database was made by a newer release: it has postgres/migrations/999_later',
    )
    const { database } = server.clickhouseAddress
    const found = await throughDefault(server.clickhouseAddress, (client) =>
      selectRows(client, 'SELECT name FROM system.databases WHERE name = {database:String}', { database }),
    )
    expect(found).toEqual([])
  })
})

killedMigrate([emptied], ['after'], [/CREATE OR REPLACE VIEW [^(]*bucket_rows/])
