import { afterAll, beforeAll, expect, it } from 'vitest'
import { createKey } from '../../platform/security/api-keys.ts'
import { createKeyFor } from '../../src/companion/keys/key-for-role.ts'
import { openOperations } from '../operations.ts'

const { server, world, keys, rows, row, request, operations } = await openOperations()
afterAll(() => server.close())

interface Change {
  origin: string
  person_id: number | null
  key_id: number | null
  object: string
  object_id: string
  action: string
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
}
const changes = async (key: string, query = '') =>
  (
    (await server.get(`/api/v0/changes${query}`, key)).body as {
      changes: Change[]
      next_token: string | null
    }
  ).changes
const newest = async (key = keys.host) => (await changes(key, '?limit=1'))[0]
const newestId = async () =>
  (await server.postgres.query<{ id: number }>('SELECT coalesce(max(id), 0) AS id FROM changes')).rows[0]?.id

let hostKey: number
beforeAll(async () => {
  const { rows: found } = await server.postgres.query<{ id: number }>(
    'SELECT id FROM api_keys WHERE prefix = $1',
    [keys.host.split('_')[1]],
  )
  hostKey = found[0]?.id ?? 0
})

it('every operation names its person and key in the changes that it makes', async () => {
  const changing = new Set<string>()
  for (const operation of operations.filter(({ name }) => !name.startsWith('GET') && !row(name).isPublic))
    for (const caller of ['host', 'team', 'renter'] as const) {
      const path = await row(operation.name).path()
      const before = await newestId()
      await request(operation, keys[caller], { path })
      const { rows: made } = await server.postgres.query<{
        origin: string
        person_id: number
        key_id: number
      }>('SELECT origin, person_id, key_id FROM changes WHERE id > $1', [before])
      if (made.length > 0) changing.add(operation.name)
      for (const { origin, person_id, key_id } of row(operation.name).endsKey ? [] : made)
        expect([operation.name, origin, person_id !== null, key_id !== null]).toEqual([
          operation.name,
          'api',
          true,
          true,
        ])
    }
  expect([...changing].sort()).toEqual(
    expect.arrayContaining([
      'DELETE /api/v0/alerts/{id}',
      'DELETE /api/v0/auth/apikeys/{id}',
      'DELETE /api/v0/metrics/autopilot/rules/{id}',
      'POST /api/v0/alerts',
      'POST /api/v0/auth/apikeys',
      'POST /api/v0/metrics/autopilot/rules',
      'POST /api/v0/team/roles',
      'PUT /api/v0/metrics/autopilot/stop',
    ]),
  )
  expect(Object.keys(rows)).toEqual(expect.arrayContaining([...changing]))
})

it('a change has the fields before and after, and of a webhook only the server', async () => {
  const rule = { name: 'old data', condition: { kind: 'data_age', minutes: 30 }, email: false }
  await server.postgres.query('DELETE FROM alert_rules')
  const created = await server.send('POST', '/api/v0/alerts', keys.host, {
    ...rule,
    webhook_url: 'https://hooks.example.com/T000/secret?token=secret',
  })
  const { id } = (created.body as { rule: { id: number } }).rule
  const entry = await newest()
  expect(entry).toMatchObject({
    origin: 'api',
    person_id: world.host_id,
    person: 'Demo host',
    key_id: hostKey,
    object: 'alert_rules',
    object_id: `${id}`,
    action: 'create',
    before: null,
    after: { name: 'old data', webhook_url: 'https://hooks.example.com/…' },
  })
  expect(JSON.stringify(entry)).not.toContain('secret')
  await server.send('PUT', `/api/v0/alerts/${id}`, keys.host, {
    ...rule,
    name: 'older data',
    webhook_url: 'https://hooks.example.com/T000/secret?token=secret',
  })
  expect(await newest()).toMatchObject({
    action: 'change',
    before: { name: 'old data' },
    after: { name: 'older data' },
  })
  // The state of a rule is not an edit.
  await server.postgres.query(`UPDATE alert_rules SET state = '{"a": 1}'`)
  expect(await newest()).toMatchObject({ after: { name: 'older data' } })
  await server.send('DELETE', `/api/v0/alerts/${id}`, keys.host)
  expect(await newest()).toMatchObject({ action: 'delete', before: { name: 'older data' }, after: null })
})

it('costs and keys are in the audit, without the hash of a key', async () => {
  await server.send('PUT', '/api/v0/metrics/costs', keys.host, { kwh_price: 0.31 })
  expect(await newest()).toMatchObject({
    object: 'machine_costs',
    object_id: 'all',
    after: { kwh_price: 0.31 },
  })
  await server.send('POST', '/api/v0/auth/apikeys', keys.host, { name: 'laptop' })
  const entry = await newest()
  expect(entry).toMatchObject({ object: 'api_keys', action: 'create', after: { name: 'laptop' } })
  expect(Object.keys(entry?.after ?? {})).not.toContain('hash')
})

it('an account reads its own changes by the permissions of the key, and an admin reads all', async () => {
  const { key } = await createKey(server.postgres, {
    accountId: world.host_id,
    permissions: { api: { machine_read: {} } },
  })
  const seen = new Set((await changes(key, '?limit=1000')).map(({ object }) => object))
  expect(seen.has('alert_rules')).toBe(true)
  expect(seen.has('api_keys')).toBe(false)
  const { rows: others } = await server.postgres.query(
    'SELECT FROM changes WHERE account_id <> $1 AND id > 0',
    [world.host_id],
  )
  expect(others.length).toBeGreaterThan(0)
  const own = (await changes(keys.host, '?limit=1000')) as (Change & { user_id: number })[]
  expect(new Set(own.map(({ user_id }) => user_id))).toEqual(new Set([world.host_id]))
  expect((await server.get('/api/v0/changes?all=true', keys.host)).status).toBe(403)
  const all = (await changes(server.adminKey, '?all=true&limit=1000')) as (Change & { user_id: number })[]
  expect(new Set(all.map(({ user_id }) => user_id)).size).toBeGreaterThan(2)
})

it('pages of changes have every change once', async () => {
  const whole = (await changes(keys.host, '?limit=1000')).map((one) => (one as { id?: number }).id)
  const paged: unknown[] = []
  for (let token: string | null = ''; token !== null; ) {
    const path: string = `/api/v0/changes?limit=7${token && `&after_token=${token}`}`
    const { body } = (await server.get(path, keys.host)) as unknown as {
      body: { changes: { id: number }[]; next_token: string | null }
    }
    paged.push(...body.changes.map(({ id }) => id))
    token = body.next_token
  }
  expect(paged).toEqual(whole)
})

it('the command line and the service itself are named as the origin', async () => {
  const { id } = await createKeyFor(server.postgres, { role: 'host', email: 'host@demo.invalid' })
  const originOf = async () =>
    (
      await server.postgres.query<{ origin: string }>(
        `SELECT origin FROM changes WHERE object = 'api_keys' AND object_id = $1 ORDER BY id DESC LIMIT 1`,
        [`${id}`],
      )
    ).rows[0]?.origin
  expect(await originOf()).toBe('command')
  await server.postgres.query('UPDATE api_keys SET revoked_at = rackrate_now() WHERE id = $1', [id])
  expect(await originOf()).toBe('service')
})
