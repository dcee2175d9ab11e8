import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { check, seriesRange } from '../../ingest/check.ts'
import { fillPast } from '../../ingest/fill-past.ts'
import { loadAll } from '../../ingest/load.ts'
import { execute, selectRows } from '../../platform/stores/clickhouse.ts'
import { migrate, throughDefault } from '../../platform/stores/migrate.ts'
import { freshDatabases, type TestDatabases } from '../database.ts'
import {
  emptied,
  postgresRows,
  previousAnswers,
  previousSchema,
  previousSeries,
  previousSnapshot,
  schemaOf,
} from '../previous-release.ts'
import { killedMigrate } from '../properties/killed-migrate.ts'
import { startServer } from '../server.ts'

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

/** Columns, constraints, indexes, views and functions of PostgreSQL, each as one text. */
const postgresSchema = async () =>
  (
    await server.postgres.query<{ text: string }>(`
      SELECT format('%s.%s %s %s %s %s', attrelid::regclass, attname, format_type(atttypid, atttypmod), attnotnull, attidentity, pg_get_expr(adbin, adrelid)) AS text
      FROM pg_attribute JOIN pg_class c ON c.oid = attrelid LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
      WHERE c.relnamespace = 'public'::regnamespace AND attnum > 0 AND NOT attisdropped
      UNION ALL SELECT format('%s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) FROM pg_constraint WHERE connamespace = 'public'::regnamespace
      UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
      UNION ALL SELECT viewname || definition FROM pg_views WHERE schemaname = 'public'
      UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
      ORDER BY 1`)
  ).rows.map(({ text }) => text)

describe('a database of the previous release', () => {
  const dimensions = `SELECT DISTINCT host_id, country, gpu_ram, gpu_memory, rental_type, terms
    FROM observations WHERE slot = {slot:UInt32}`
  const observations = () =>
    selectRows(server.clickhouse, 'SELECT * FROM observations ORDER BY slot, machine_id, rented')

  it('is upgraded without loss, answers as before, and its past is computed in the background', async () => {
    await previousSchema(server)
    await previousSeries(server)
    const waiting = await previousSnapshot(server)
    const before = { observations: await observations(), rows: await postgresRows(server) }
    expect(before.observations.length).toBeGreaterThan(1000)

    const applied = await upgrade()
    expect(applied.filter((name) => name < 'clickhouse/migrations/026' || name.includes('/043'))).toEqual([])
    expect(applied).toContain('postgres/migrations/044_alerts_on_memory')
    expect(await upgrade()).toEqual([])
    expect(await observations()).toMatchObject(before.observations) // with new columns
    const after = await postgresRows(server)
    const changed = [...before.rows].filter(([name, rows]) => `${rows}` !== `${after.get(name)}`)
    expect(changed.map(([name]) => name)).toEqual([
      'accounts', // with a new column
      'alert_rules',
      'autopilot_decisions',
      'backfills',
      'machines',
    ])
    for (const [name, rows] of changed.slice(0, 3)) expect(after.get(name)).toHaveLength(rows.length)

    const expectSame = async () => {
      const app = await startServer({ databases: server, seriesMaxAgeMs: 0 })
      for (const { path, body } of previousAnswers) expect((await app.get(path)).body, path).toEqual(body)
      await app.app.close()
    }
    await expectSame()
    expect(await loadAll(server)).toBe(1)
    expect(await selectRows(server.clickhouse, dimensions, { slot: waiting.slot })).toEqual(waiting.observed)
    const range = await seriesRange(server.clickhouse)
    const isFilled = async () =>
      !(await check(server, range)).not_checked.some(({ reason }) =>
        reason.startsWith('The derived rows before'),
      )
    expect(await isFilled()).toBe(false)
    expect(await check(server, range)).toMatchObject({ problems: [] })
    expect(await fillPast(server)).toBe(1)
    expect(await fillPast(server)).toBe(0)
    expect(await isFilled()).toBe(true)
    expect(await check(server, range)).toMatchObject({ problems: [] })
    await expectSame()
  })

  it('then has the schema of a new one', async () => {
    const upgraded = { clickhouse: await schemaOf(server.clickhouse), postgres: await postgresSchema() }
    await emptied(server)
    await upgrade()
    expect(upgraded.clickhouse).toEqual(await schemaOf(server.clickhouse))
    expect(upgraded.postgres).toEqual(await postgresSchema())
  })

  const sentence =
    'was made by a release before commit f3fc77a8, or its upgrade to that release has not ended'

  it('is refused in either store when it is older, or its upgrade to that release has not ended', async () => {
    await previousSchema(server, '042')
    const before = await postgresTables()
    await expect(upgrade()).rejects.toThrow(`The PostgreSQL database ${sentence}`)
    await expect(upgrade()).rejects.toThrow(
      'Run `rackrate migrate` of commit f3fc77a8 first, then of this release.',
    )
    expect(await postgresTables()).toBe(before)

    await previousSchema(server)
    await execute(
      server.clickhouse,
      `DELETE FROM migrations/*!_local ON CLUSTER $cluster*/ WHERE name LIKE '%024%'`,
    )
    await expect(upgrade()).rejects.toThrow(`The ClickHouse database ${sentence}`)

    // The state after a kill before the files were recorded, or of a release that did not record them.
    await execute(server.clickhouse, 'TRUNCATE TABLE migrations/*!_local ON CLUSTER $cluster*/')
    await execute(
      server.clickhouse,
      'ALTER TABLE cube/*!_local ON CLUSTER $cluster*/ DROP COLUMN last_ask_diff',
    )
    if (server.clickhouse.place)
      await execute(server.clickhouse, 'ALTER TABLE cube/*! ON CLUSTER $cluster*/ DROP COLUMN last_ask_diff')
    await expect(upgrade()).rejects.toThrow(`The ClickHouse database ${sentence}`)
  })

  it('is refused while its past is not computed, and not changed', async () => {
    await previousSchema(server)
    await previousSeries(server)
    await server.postgres.query(`UPDATE backfills SET todo_before = 1750000200 WHERE what = 'sums'`)
    const before = await postgresTables()
    await expect(upgrade()).rejects.toThrow('Its worker has not computed all of the past yet')
    expect(await postgresTables()).toBe(before)
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
    await record('clickhouse/migrations/026_gpu_memory_cube', 'hash of another text')
    const sentence =
      'has changed since the ClickHouse database applied it. Restore the file, and put the change in a new one.'
    await expect(upgrade()).rejects.toThrow(`sql/clickhouse/migrations/026_gpu_memory_cube.sql ${sentence}`)
    await expect(upgrade({ again: true })).rejects.toThrow(sentence)
    expect(await schemaOf(server.clickhouse)).toEqual(before)

    await server.postgres.query(`UPDATE migrations SET hash = 'other' WHERE name LIKE '%045_damages'`)
    await expect(upgrade()).rejects.toThrow(
      'sql/postgres/migrations/045_damages.sql has changed since the PostgreSQL database applied it',
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

  it('is refused if one store is newer, and the other store stays untouched', async () => {
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
    await server.postgres.query(
      `INSERT INTO migrations (name, hash) VALUES ('postgres/migrations/999_later', 'hash')`,
    )
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
