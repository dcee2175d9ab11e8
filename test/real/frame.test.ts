import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createKey, revokeKey } from '../../platform/security/api-keys.ts'
import { openPostgres } from '../../platform/stores/postgres.ts'
import { buildApp } from '../../src/app.ts'
import { polledByAgents } from '../../src/companion/copytool/controller.ts'
import { smallMarket } from '../market.ts'
import { startServer, type TestServer } from '../server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await smallMarket(server.postgres, 4)
  await server.postgres.query(
    `INSERT INTO ssh_keys (account_id, public_key) VALUES (1001, 'ssh-ed25519 AAAA first'), (1002, 'ssh-ed25519 AAAA strange')`,
  )
  await server.postgres.query(
    `INSERT INTO ssh_keys (account_id, public_key, deleted_at) VALUES (1001, 'ssh-ed25519 AAAA deleted', rackrate_now())`,
  )
})
afterAll(() => server?.close())

const refused = { success: false, error: 'auth_error', msg: 'Invalid user key' }

describe('keys', () => {
  it('missing, malformed, unknown, wrong, revoked and expired keys are all the same 401', async () => {
    const { id, key: revoked } = await createKey(server.postgres, { accountId: 1001 })
    await revokeKey(server.postgres, `${id}`)
    const { key: expired } = await createKey(server.postgres, {
      accountId: 1001,
      expiresAt: new Date(Date.now() - 1000),
    })
    const { key: good } = await createKey(server.postgres, { accountId: 1001 })
    const wrong = `${good.slice(0, -1)}${good.endsWith('0') ? '1' : '0'}`
    const unknown = `rr_${'0'.repeat(16)}_${'0'.repeat(64)}`
    const headers = [
      '',
      'Bearer',
      'Bearer ',
      `Basic ${good}`,
      good,
      `Bearer ${good} x`,
      'Bearer x'.repeat(5000),
    ]
    for (const authorization of [
      ...headers,
      ...[revoked, expired, wrong, unknown].map((key) => `Bearer ${key}`),
    ]) {
      const response = await server.app.inject({ url: '/api/v0/ssh', headers: { authorization } })
      expect([response.statusCode, response.json()], authorization.slice(0, 40)).toEqual([401, refused])
    }
    expect((await server.app.inject({ url: `/api/v0/ssh?api_key=${good}` })).statusCode).toBe(401)
    expect(
      (await server.app.inject({ url: '/api/v0/ssh', headers: { authorization: `bearer ${good}` } }))
        .statusCode,
    ).toBe(200)
  })

  it('only a hash is stored, and the use is noted', async () => {
    const { id, key } = await createKey(server.postgres, { accountId: 1001 })
    await server.get('/api/v0/ssh', key)
    await expect
      .poll(
        async () =>
          (await server.postgres.query('SELECT last_used_at FROM api_keys WHERE id = $1', [id])).rows[0],
      )
      .not.toEqual({ last_used_at: null })
    const { rows } = await server.postgres.query<{ row: string }>(
      'SELECT row_to_json(k)::text AS row FROM api_keys k WHERE id = $1',
      [id],
    )
    expect(rows[0]?.row).not.toContain(key.split('_')[2])
  })

  it("a team's key does no more than its holder's present role", async () => {
    const { rows } = await server.postgres.query<{ id: number }>(
      `INSERT INTO accounts (kind, name) VALUES ('team', 'a team') RETURNING id`,
    )
    const team = rows[0]?.id ?? 0
    await server.postgres.query('INSERT INTO teams (account_id, owner_id) VALUES ($1, 1001)', [team])
    await server.postgres.query(
      `INSERT INTO roles (team_id, name, permissions) VALUES ($1, 'key keepers', '{"api": {"team_read": {}}}')`,
      [team],
    )
    await server.postgres.query(
      `INSERT INTO team_members (team_id, user_id, role_id) SELECT $1, 1002, id FROM roles WHERE team_id = $1`,
      [team],
    )
    const { key: owner } = await createKey(server.postgres, { accountId: team, createdBy: 1001 })
    const { key: member } = await createKey(server.postgres, { accountId: team, createdBy: 1002 })
    const { key: stranger } = await createKey(server.postgres, {
      accountId: team,
      createdBy: Number(await strangerId()),
    })
    expect((await server.get('/api/v0/ssh', owner)).status).toBe(200)
    expect((await server.get('/api/v0/ssh', member)).status).toBe(403)
    expect((await server.get('/api/v0/team/roles/key%20keepers/', member)).body).toEqual({
      id: expect.any(Number),
      name: 'key keepers',
      permissions: { api: { team_read: {} } },
    })
    expect((await server.get('/api/v0/ssh', stranger)).status).toBe(401)
    const { key: person } = await createKey(server.postgres, { accountId: Number(await strangerId()) })
    expect(await server.get('/api/v0/team/roles/key%20keepers', person)).toMatchObject({
      status: 404,
      body: { error: 'not_found', msg: 'Role not found' },
    })
  })

  const strangerId = async () =>
    (
      await server.postgres.query<{ id: number }>(
        `INSERT INTO accounts (name) VALUES ('stranger') RETURNING id`,
      )
    ).rows[0]?.id
})

describe('the first operations of the companion service', () => {
  it('ssh lists the valid keys of the account and of no other', async () => {
    const { key } = await createKey(server.postgres, { accountId: 1001 })
    expect((await server.get('/api/v0/ssh/', key)).body).toEqual([
      {
        id: expect.any(Number),
        user_id: 1001,
        public_key: 'ssh-ed25519 AAAA first',
        created_at: expect.any(Number),
        deleted_at: null,
      },
    ])
  })

  it.each(['owner', 'manager', 'member'])('the built-in role %s is there for everybody', async (name) => {
    expect((await server.get(`/api/v0/team/roles/${name}`)).body).toMatchObject({
      name,
      permissions: { api: { instance_read: {} } },
    })
  })

  it.each(['nobody', 'own%00er', '%F0%9F%92%A9', '__proto__', 'x'.repeat(400)])(
    'there is no role of a strange name, %#',
    async (name) => {
      expect(await server.get(`/api/v0/team/roles/${name}`)).toMatchObject({
        status: 404,
        body: { success: false, error: 'not_found' },
      })
    },
  )
})

describe('every failure has the same shape', () => {
  const shape = { success: false, error: expect.any(String), msg: expect.any(String) }
  it.each([
    ['GET', '/nothing', 404],
    ['GET', '/assets/nothing.js', 404],
    ['GET', '/api/v0/nothing', 404],
    ['PUT', '/api/v0/ssh', 405],
    ['GET', '/%ff', 400],
    ['GET', `/api/v0/team/roles/${'x'.repeat(600)}`, 414],
  ] as const)('%s … %#', async (method, url, status) => {
    const response = await server.app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${server.adminKey}` },
    })
    expect([response.statusCode, response.json()]).toEqual([status, shape])
    expect(response.headers['x-request-id']).toMatch(/^[\w-]+$/)
  })

  it('a request id of the caller is kept when it is plain', async () => {
    const inject = (id: string) => server.app.inject({ url: '/healthz', headers: { 'x-request-id': id } })
    expect((await inject('from-a-proxy_1')).headers['x-request-id']).toBe('from-a-proxy_1')
    expect((await inject('x y\tz')).headers['x-request-id']).not.toBe('x y\tz')
  })

  it('too many requests with one key are 429 with Retry-After', async () => {
    const limited = await startServer({ rateLimit: 3 })
    try {
      const responses = []
      for (let n = 0; n < 4; n += 1) responses.push(await limited.get('/api/v0/ssh'))
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 429])
      expect(responses[3]).toMatchObject({
        headers: { 'retry-after': expect.anything() },
        body: { success: false, error: 'too_many_requests', msg: expect.any(String) },
      })
      expect((await limited.app.inject({ url: '/healthz' })).statusCode).toBe(200)
    } finally {
      await limited.close()
    }
  })

  it('an internal error is a 500 without its details', async () => {
    const broken = await startServer()
    try {
      await broken.get('/api/v0/ssh')
      await broken.postgres.query('ALTER TABLE ssh_keys RENAME TO ssh_keys_gone')
      const { status, body } = await broken.get('/api/v0/ssh')
      expect(status).toBe(500)
      expect(body).toEqual({
        success: false,
        error: 'internal_error',
        msg: expect.stringMatching(/^Internal error\. Quote request id [\w-]+\.$/),
      })
    } finally {
      await broken.close()
    }
  })
})

// A database that gets no time on a busy machine counts as away for a moment, and what is known of it is kept for a second.
const patient = { timeout: 60_000, interval: 1100 }

describe('operation', () => {
  it('is ready, with the state of the pipeline', async () => {
    await vi.waitFor(async () => {
      const { statusCode, body } = await server.app.inject({ url: '/readyz' })
      expect([statusCode, JSON.parse(body)]).toEqual([
        200,
        expect.objectContaining({
          dependencies: { postgres: { ok: true }, clickhouse: { ok: true } },
          spooled_slots: 0,
          pending_rollups: 0,
          filled_since: 0,
        }),
      ])
    }, patient)
  })

  it('is alive but not ready without its database, whose name it reports but not its address', async () => {
    const nowhere = openPostgres('postgres://nobody:secret@127.0.0.1:1/none', () => {})
    const app = await buildApp(
      {
        ...server,
        postgres: nowhere,
        snapshotInterval: 300,
        rateLimit: 10,
        addressRateLimit: 10,
        parallelRequests: 10,
        trustedProxies: 0,
        logLevel: 'silent',
      },
      {
        metrics: { adHoc: undefined },
        companion: {
          vault: server.vault,
          onOutbox: () => {},
          controller: polledByAgents,
          publicUrl: undefined,
          signInByMail: false,
        },
      },
    )
    try {
      expect((await app.inject({ url: '/healthz' })).statusCode).toBe(200)
      const ready = await vi.waitFor(async () => {
        const answer = await app.inject({ url: '/readyz' })
        expect(answer.statusCode).toBe(503)
        expect(answer.json().dependencies).toEqual({
          postgres: { ok: false, reason: 'ECONNREFUSED' },
          clickhouse: { ok: true },
        })
        return answer
      }, patient)
      const answer = await app.inject({
        url: '/api/v0/ssh',
        headers: { authorization: `Bearer ${server.adminKey}` },
      })
      expect([answer.statusCode, answer.json().error, answer.headers['retry-after']]).toEqual([
        503,
        'unavailable',
        '1',
      ])
      expect(`${ready.body}${answer.body}`).not.toMatch(/127\.0\.0\.1|secret/)
    } finally {
      await app.close()
      await nowhere.end()
    }
  })

  it('serves figures to Prometheus', async () => {
    await server.get('/api/v0/ssh')
    await vi.waitFor(async () => {
      const { body, headers } = await server.app.inject({ url: '/metrics' })
      expect(headers['content-type']).toMatch(/^text\/plain/)
      for (const name of [
        'rackrate_spooled_slots 0',
        'rackrate_pending_rollups 0',
        'rackrate_filled_since_timestamp_seconds 0',
        'rackrate_newest_slot_timestamp_seconds 0',
        'rackrate_slot_lag_seconds',
        'route="/api/v0/ssh",status="200"',
      ]) {
        expect(body).toContain(name)
      }
    }, patient)
  })

  it('documents every route of the API, with its errors', async () => {
    const document = (await server.app.inject({ url: '/openapi.json' })).json()
    expect(document.openapi).toBe('3.1.0')
    // The operations of docs/api/README.md, in its order.
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining([
        '/api/v0/metrics/gpu/history',
        '/api/v0/volumes',
        '/api/v0/commands/copytool',
        '/api/v0/tfa/regen-backup-codes',
        '/api/v0/users/{user_id}/templates',
        '/api/v0/team/members/{id}/roles',
        '/api/v0/tfa/email',
        '/api/v0/commands/schedule_job/{id}',
        '/api/v0/team/roles/{id}',
        '/api/v0/ssh',
      ]),
    )
    for (const path of Object.values(document.paths) as Record<string, { responses: object }>[]) {
      for (const operation of Object.values(path))
        expect(Object.keys(operation.responses)).toEqual(
          expect.arrayContaining(['200', '400', '401', '403', '429', '503']),
        )
    }
    const history = document.paths['/api/v0/metrics/gpu/history'].get
    expect(
      history.parameters.map((parameter: { name: string; required: boolean; schema: { type?: string } }) => [
        parameter.name,
        parameter.required ?? false,
      ]),
    ).toEqual(
      [
        'gpu_name',
        'verified',
        'hosting_type',
        'num_gpus',
        'gpu_memory',
        'tier',
        'start',
        'end',
        'step',
        'source',
      ].map((name) => [name, false]),
    )
    expect((await server.app.inject({ url: '/docs' })).statusCode).toBe(200)
  })
})
