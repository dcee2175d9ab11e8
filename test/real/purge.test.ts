import { afterAll, beforeAll, expect, it } from 'vitest'
import { capture } from '../../ingest/capture.ts'
import { loadAll } from '../../ingest/load.ts'
import { purge } from '../../workers/processors/purge.ts'
import { freshDatabases, type TestDatabases } from '../database.ts'
import { smallMarket } from '../market.ts'

let databases: TestDatabases
beforeAll(async () => {
  databases = await freshDatabases()
  await smallMarket(databases.postgres, 10)
})
afterAll(() => databases?.close())

const column = async (query: string) =>
  (await databases.postgres.query<{ value: unknown }>(query)).rows.map(({ value }) => value)

it('a snapshot leaves the spool some days after its load, and never before it is loaded', async () => {
  const { postgres, clickhouse } = databases
  const slots = [1_752_000_000, 1_752_000_300, 1_752_000_600]
  for (const slot of slots.slice(0, 2)) await capture(postgres, slot)
  await loadAll({ postgres, clickhouse })
  await capture(postgres, 1_752_000_600)
  await postgres.query(
    `UPDATE snapshots SET taken_at = rackrate_now() - interval '9 days', loaded_at = loaded_at - CASE slot WHEN 1752000000 THEN interval '3 days' END`,
  )
  await postgres.query('UPDATE snapshots SET loaded_at = rackrate_now() WHERE slot = 1752000300')
  await purge(databases, 2)
  expect(await column('SELECT DISTINCT slot AS value FROM spool ORDER BY slot')).toEqual(slots.slice(1))
  await purge(databases, 0)
  expect(await column('SELECT DISTINCT slot AS value FROM spool')).toEqual([1_752_000_600])
  expect(await column('SELECT slot AS value FROM snapshots ORDER BY slot')).toEqual(slots)
})

it('recent runs of a scheduled job stay, and its last one at any age', async () => {
  const { postgres } = databases
  await postgres.query(
    `INSERT INTO scheduled_jobs (
       id, account_id, created_by, api_endpoint, request_method, request_body_sealed, permissions, start_time, frequency, status
     )
     SELECT id, 1002, 1002, '/api/v0/ssh/', 'GET', '', '{}', rackrate_now(), 'HOURLY', 'PENDING' FROM generate_series(1, 2) AS id`,
  )
  // Job 1 ended long ago; job 2 continues, with an unfinished run.
  await postgres.query(
    `INSERT INTO scheduled_job_runs (job_id, slot, finished_at)
     SELECT job, rackrate_now() - age * interval '1 day', CASE WHEN done THEN rackrate_now() - age * interval '1 day' END
     FROM (VALUES (1, 300, true), (1, 200, true), (2, 200, true), (2, 120, false), (2, 10, true)) AS run(job, age, done)`,
  )
  await purge(databases, 2)
  expect(
    await column(
      `SELECT job_id || ': ' || round(extract(epoch FROM rackrate_now() - slot) / 86400) AS value FROM scheduled_job_runs ORDER BY 1`,
    ),
  ).toEqual(['1: 200', '2: 10', '2: 120'])
})

it("a host's task goes 90 days after its end", async () => {
  const { postgres } = databases
  await postgres.query(
    `INSERT INTO host_tasks (machine_id, account_id, kind, payload, token_hash, token_sealed, content_hash, expires_at, finished_at, dead_at)
     SELECT 1, 1002, kind, '{}', kind::bytea, '', kind::bytea, rackrate_now() - expired * interval '1 day', rackrate_now() - finished * interval '1 day', rackrate_now() - dead * interval '1 day'
     FROM (VALUES
       ('finished', 200, 100, NULL), ('given up', 200, NULL, 100), ('never fetched', 100, NULL, NULL),
       ('finished lately', 200, 10, NULL), ('given up lately', 200, NULL, 10), ('at work', -1, NULL, NULL)
     ) AS task(kind, expired, finished, dead)`,
  )
  await purge(databases, 2)
  expect(await column('SELECT kind AS value FROM host_tasks ORDER BY 1')).toEqual([
    'at work',
    'finished lately',
    'given up lately',
  ])
})
