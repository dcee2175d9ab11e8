import { afterAll, beforeAll, expect, it } from 'vitest'
import { freshDatabases, type TestDatabases } from '../database.ts'

let databases: TestDatabases
beforeAll(async () => {
  databases = await freshDatabases()
})
afterAll(() => databases?.close())

const inPostgres = async () => {
  const { rows } = await databases.postgres.query<{ now: number }>(
    'SELECT extract(epoch FROM rackrate_now())::float8 AS now',
  )
  return rows[0]?.now
}

it('the clock of the database is planned as now() is, so that it can use an index', async () => {
  const { rows } = await databases.postgres.query<{ 'QUERY PLAN': string }>(
    'EXPLAIN (VERBOSE) SELECT id FROM outbox WHERE next_try_at <= rackrate_now()',
  )
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  expect(plan).toMatch(/<= \(?now\(\)/) // tools/clock-sweep.mjs adds an interval
  expect(plan).not.toContain('rackrate_now')
})

it('every default and view of the database uses the one clock, except the migrations ledger', async () => {
  const { rows } = await databases.postgres.query<{ place: string }>(
    `SELECT a.attrelid::regclass || '.' || a.attname AS place
     FROM pg_attrdef d JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
     WHERE a.attrelid::regclass::text NOT LIKE '%.%' AND pg_get_expr(d.adbin, d.adrelid) ~ '\\mnow\\(|CURRENT_|clock_timestamp'
     UNION ALL
     SELECT viewname FROM pg_views WHERE schemaname = 'public' AND definition ~ '\\mnow\\(|CURRENT_|clock_timestamp'`,
  )
  expect(rows).toEqual([{ place: 'migrations.applied_at' }])
})

it('a test can hold, move and release the clock of the process and of the database together', async () => {
  const { clock } = databases
  const past = 1_000_000_000
  await clock.hold(past)
  expect([clock.now(), await inPostgres()]).toEqual([past, past])
  await clock.advance(0.25)
  const all = await Promise.all(Array.from({ length: 8 }, inPostgres)) // on several connections
  expect(new Set([clock.now(), ...all])).toEqual(new Set([past + 0.25]))
  await clock.release()
  expect(Math.abs(clock.now() - past)).toBeGreaterThan(86_400)
  expect(await inPostgres()).toBeCloseTo(clock.now(), -2)
})
