import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createKey } from '../../platform/security/api-keys.ts'
import { startServer, type TestServer } from '../server.ts'
import { openWorld, type World } from '../world.ts'

let server: TestServer
let world: World
let key: string
beforeAll(async () => {
  server = await startServer()
  world = await openWorld(server)
  const { host_id } = world
  await server.postgres.query('UPDATE accounts SET is_admin = true WHERE id = $1', [host_id])
  key = (await createKey(server.postgres, { accountId: host_id })).key
})
afterAll(() => server?.close())

/** The ids of a list, read in pages of two, and how many pages there were. */
async function readPages(path: string, field?: string) {
  const ids: string[] = []
  let token: string | null = null
  let pages = 0
  do {
    const url: string = `${path}?limit=2${token ? `&after_token=${token}` : ''}`
    const answer = await server.app.inject({ url, headers: { authorization: `Bearer ${key}` } })
    expect([url, answer.statusCode]).toEqual([url, 200])
    const body = answer.json()
    const rows: { id: string }[] = field ? body[field] : body
    ids.push(...rows.map(({ id }) => id))
    token = field ? body.next_token : (answer.headers['rackrate-next-token'] ?? null)
    pages += 1
  } while (token && pages < 9)
  return { ids, pages }
}

const idsOf = async (statement: string, parameters: unknown[]) =>
  (await server.postgres.query<{ id: string }>(statement, parameters)).rows.map(({ id }) => id)

it('pages list every statement of the audit once, also of the same moment', async () => {
  const ids = Array.from({ length: 5 }, () => randomUUID())
  await server.postgres.query(
    `INSERT INTO sql_queries (id, account_id, query, format, started_at)
     SELECT id, $2, 'SELECT 1', 'JSON', '2026-11-20' FROM unnest($1::uuid[]) AS id`,
    [ids, world.host_id],
  )
  const { ids: listed, pages } = await readPages('/api/v0/metrics/sql/queries')
  expect(listed).toEqual([...ids].sort().reverse())
  expect(pages).toBe(3)
})

it('pages list every alert message once, newest first', async () => {
  const { rows } = await server.postgres.query<{ id: number }>(
    `INSERT INTO alert_rules (account_id, created_by, name, condition, email)
     SELECT $1, $1, name, '{}', false FROM unnest(ARRAY['one', 'two']) AS name RETURNING id`,
    [world.host_id],
  )
  const made = await idsOf(
    `WITH made AS (
       INSERT INTO alert_messages (rule_id, slot, entries)
       SELECT rule, slot, '[]' FROM unnest($1::int[]) AS rule, unnest(ARRAY[600, 300]) AS slot RETURNING *)
     SELECT id FROM made ORDER BY slot DESC, rule_id`,
    [rows.map(({ id }) => id)],
  )
  expect(await readPages('/api/v0/alerts/messages', 'messages')).toEqual({ ids: made, pages: 2 })
})

it('pages list every decision of the autopilot once, newest first', async () => {
  const made = await idsOf(
    `INSERT INTO autopilot_decisions
       (account_id, machine_id, gpu_name, num_gpus, slot, kind, stage, reason, figures, state, expires_at)
     SELECT $1, machine, 'RTX 4090', 1, 600, 'refusal', 'dry_run', 'a reason', '{}', 'noted', 'infinity'
     FROM generate_series(1, 5) AS machine RETURNING id`,
    [world.host_id],
  )
  const newest = [...made].reverse()
  expect(await readPages('/api/v0/metrics/autopilot/decisions', 'decisions')).toEqual({
    ids: newest,
    pages: 3,
  })
  expect(await readPages('/api/v0/metrics/autopilot/audit', 'decisions')).toEqual({ ids: newest, pages: 3 })
})
