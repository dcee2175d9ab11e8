import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createKey } from '../../platform/security/api-keys.ts'
import { startServer, type TestServer } from '../server.ts'
import { atOnce, openWorld, type World } from '../world.ts'

let server: TestServer
let world: World
let manager: string
beforeAll(async () => {
  server = await startServer()
  world = await openWorld(server)
  const { rows } = await server.postgres.query<{ id: number }>(
    `INSERT INTO accounts (name) VALUES ('Manager') RETURNING id`,
  )
  const id = rows[0]?.id ?? 0
  await server.postgres.query(
    `INSERT INTO roles (team_id, name, permissions) VALUES ($1, 'recruiter', '{"api": {"team_read": {}, "team_write": {}}}')`,
    [world.team_id],
  )
  await server.postgres.query(
    `INSERT INTO team_members (team_id, user_id, role_id) SELECT $1, $2, id FROM roles WHERE team_id = $1 AND name = 'recruiter'`,
    [world.team_id, id],
  )
  manager = (await createKey(server.postgres, { accountId: world.team_id, createdBy: id })).key
})
afterAll(() => server?.close())
beforeEach(() =>
  server.postgres.query('UPDATE team_members SET role_id = NULL WHERE user_id = $1', [world.host_id]),
)

const assign = (role: unknown, key = world.keys.team, member: string | number = world.host_id) =>
  server.send('POST', `/api/v0/team/members/${member}/roles/`, key, { role })
const roleOf = async (userId: number) =>
  (
    await server.postgres.query<{ name: string | null }>(
      'SELECT r.name FROM team_members m LEFT JOIN roles r ON r.id = m.role_id WHERE m.team_id = $1 AND m.user_id = $2',
      [world.team_id, userId],
    )
  ).rows[0]?.name

describe('POST team/members/{id}/roles', () => {
  it.each(['operator', 'manager', 'member'])(
    'gives the role %s to a member without one, once',
    async (role) => {
      expect(await assign(role)).toMatchObject({ status: 200, body: { msg: 'success' } })
      expect(await roleOf(world.host_id)).toBe(role)
      expect(await assign('member')).toMatchObject({
        status: 400,
        body: { success: false, error: 'invalid_args' },
      })
      expect(await roleOf(world.host_id)).toBe(role)
    },
  )

  it.each([
    ['owner', 400, 'invalid_args'],
    ['Owner', 400, 'invalid_args'],
    ['nobody', 404, 'not_found'],
    ["operator' OR '1'='1", 404, 'not_found'],
    ['', 400, 'invalid_args'],
    [null, 400, 'invalid_args'],
    [['operator'], 400, 'invalid_args'],
    ['x'.repeat(51), 400, 'invalid_args'],
  ])('refuses the role %j', async (role, status, error) => {
    expect(await assign(role)).toMatchObject({ status, body: { success: false, error } })
    expect(await roleOf(world.host_id)).toBeNull()
  })

  it.each(['999999', 'x', '1.5'])('there is no member %s', async (member) => {
    expect(await assign('operator', world.keys.team, member)).toMatchObject({
      status: 404,
      body: { msg: 'There is no such team member' },
    })
  })

  it('the owner has a role; a stranger is no member', async () => {
    expect((await assign('operator', world.keys.team, world.renter_id)).status).toBe(400)
    expect((await assign('operator', world.keys.team, world.stranger_id)).status).toBe(404)
  })

  it("takes a team's key that may do as much itself", async () => {
    for (const key of [world.keys.renter, world.keys.host, server.adminKey])
      expect(await assign('operator', key)).toMatchObject({ status: 403, body: { error: 'forbidden' } })
    expect(await assign('operator', manager)).toMatchObject({ status: 403, body: { error: 'forbidden' } })
    expect((await assign('recruiter', manager)).status).toBe(200)
  })

  it('one of twenty concurrent requests succeeds, the others get the 400', async () => {
    const answers = await atOnce(20, () => assign('operator'))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(400)])
  })
})

describe('teams, their roles and members', () => {
  it('makes roles that allow no more than oneself, each name once', async () => {
    const make = (body: unknown, key = world.keys.team) =>
      server.send('POST', '/api/v0/team/roles/', key, body)
    const permissions = { api: { team_read: {} } }
    const answers = await atOnce(10, () => make({ name: 'night shift', permissions }))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(400)])
    expect((await server.get('/api/v0/team/roles/night%20shift/', world.keys.team)).body).toMatchObject({
      name: 'night shift',
      permissions,
    })
    expect(await make({ name: 'too much', permissions: { api: { user_write: {} } } }, manager)).toMatchObject(
      { status: 403 },
    )
    for (const body of [
      { name: 'Owner', permissions },
      { name: 'x', permissions },
      { name: 'ok' },
      { name: 'ok', permissions: { api: { root: {} } } },
    ])
      expect(await make(body)).toMatchObject({ status: 400, body: { error: 'invalid_args' } })
    expect(
      ((await server.get('/api/v0/team/roles', manager)).body as { name: string }[]).map(({ name }) => name),
    ).toEqual(['owner', 'manager', 'member', 'operator', 'recruiter', 'night shift'])
    expect((await make({ name: 'mine', permissions }, world.keys.renter)).status).toBe(403)
    expect((await server.get('/api/v0/team/roles', world.keys.renter)).status).toBe(403)
  })

  it('invites addresses, whose holders join without a role', async () => {
    const invite = (email: string) => server.send('POST', '/api/v0/team/members', world.keys.team, { email })
    const join = (key: string) =>
      server.send('POST', '/api/v0/team/join', key, { team_id: `${world.team_id}` })
    expect((await join(world.keys.stranger)).status).toBe(404)
    const answers = await atOnce(5, () => invite('STRANGER@demo.invalid'))
    answers.push(await invite('nobody@demo.invalid'))
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    const { rows } = await server.postgres.query<{ recipient: string }>(
      'SELECT recipient FROM outbox ORDER BY id',
    )
    expect(rows.map(({ recipient }) => recipient)).toEqual(['stranger@demo.invalid', 'nobody@demo.invalid'])
    expect((await join(world.keys.host)).status).toBe(200) // is a member
    expect((await join(world.keys.team)).status).toBe(403)
    for (let n = 0; n < 2; n += 1) expect((await join(world.keys.stranger)).status).toBe(200)
    expect((await invite('not an address')).status).toBe(400)
    // Old ones are void, and make room.
    await server.postgres.query(
      `INSERT INTO team_invitations (team_id, email) SELECT $1, 'n' || n || '@example.com' FROM generate_series(1, 99) AS n`,
      [world.team_id],
    )
    expect((await invite('one.more@example.com')).status).toBe(400)
    expect((await invite('nobody@demo.invalid')).status).toBe(200)
    await server.postgres.query(
      `UPDATE team_invitations SET created_at = rackrate_now() - interval '8 days' WHERE email LIKE 'n%@example.com'`,
    )
    expect((await invite('one.more@example.com')).status).toBe(200)
    await server.postgres.query(
      `INSERT INTO team_invitations (team_id, email, created_at) VALUES ($1, 'renter@demo.invalid', rackrate_now() - interval '8 days')
       ON CONFLICT DO NOTHING`,
      [world.team_id],
    )
    const { body } = await server.get('/api/v0/team/members/', world.keys.team)
    expect((body as { id: number; role: string }[]).map(({ id, role }) => [id, role])).toEqual([
      [world.renter_id, 'owner'],
      [world.host_id, null],
      [expect.any(Number), 'recruiter'],
      [world.stranger_id, null],
    ])
    const { key } = await createKey(server.postgres, {
      accountId: world.team_id,
      createdBy: world.stranger_id,
    })
    expect((await server.get('/api/v0/team/members', key)).status).toBe(401)
  })

  it('a person makes a team, and a key for it', async () => {
    const make = () => server.send('POST', '/api/v0/team/', world.keys.host, { team_name: 'Night owls' })
    const answers = await atOnce(10, make)
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    const { id: team_id } = (await make()).body as { id: number }
    const { key } = (
      await server.send('POST', '/api/v0/auth/apikeys/', world.keys.host, { team_id, name: 'for the team' })
    ).body as { key: string }
    expect((await server.get('/api/v0/team/members', key)).body).toMatchObject([
      { id: world.host_id, role: 'owner' },
    ])
    expect((await server.send('POST', '/api/v0/team', key, { team_name: 'nested' })).status).toBe(403)
    expect((await server.send('POST', '/api/v0/auth/apikeys', world.keys.stranger, { team_id })).status).toBe(
      404,
    )
  })
})

describe('API keys', () => {
  it('are listed without their secrets, made with no more rights, and revoked', async () => {
    const post = (body: unknown, key = world.keys.stranger) =>
      server.send('POST', '/api/v0/auth/apikeys', key, body)
    const permissions = { api: { user_read: {}, user_write: {} } }
    const made = (await post({ name: 'small', permissions, expires_at: Date.now() / 1000 + 3600 })).body as {
      id: number
      key: string
    }
    const { apikeys: listed } = (await server.get('/api/v0/auth/apikeys/', made.key)).body as {
      apikeys: { id: number }[]
    }
    expect(listed.find(({ id }) => id === made.id)).toMatchObject({
      user_id: world.stranger_id,
      name: 'small',
      permissions,
      expires_at: expect.any(Number),
    })
    expect(JSON.stringify(listed)).not.toContain(made.key.split('_')[2])
    expect((await post({ permissions: { api: { misc: {} } } }, made.key)).status).toBe(403)
    expect((await post({ expires_at: 1000 })).status).toBe(400)
    expect((await post({ permissions: { api: { everything: {} } } })).status).toBe(400)
    const child = (await post({}, made.key)).body as { id: number }
    const { rows } = await server.postgres.query<{ same: boolean }>(
      'SELECT a.expires_at = b.expires_at AS same FROM api_keys a, api_keys b WHERE a.id = $1 AND b.id = $2',
      [made.id, child.id],
    )
    expect(rows).toEqual([{ same: true }])
    const many = await atOnce(120, () => post({}))
    expect(many.filter(({ status }) => status === 200).length).toBeLessThan(100)
    const revoke = (key: string) => server.send('DELETE', `/api/v0/auth/apikeys/${made.id}/`, key)
    expect((await revoke(world.keys.host)).status).toBe(404)
    expect((await revoke(world.keys.stranger)).status).toBe(200)
    expect((await revoke(world.keys.stranger)).status).toBe(404)
  })

  it("a team's key doesn't reach its holder's own keys", async () => {
    const { apikeys: keys } = (await server.get('/api/v0/auth/apikeys', world.keys.team)).body as {
      apikeys: { user_id: number }[]
    }
    expect(new Set(keys.map(({ user_id }) => user_id))).toEqual(new Set([world.team_id]))
  })
})

describe('SSH keys', () => {
  const ed25519 = `ssh-ed25519 ${Buffer.concat([Buffer.from([0, 0, 0, 11]), Buffer.from('ssh-ed25519'), Buffer.from([0, 0, 0, 32]), Buffer.alloc(32, 5)]).toString('base64')}`
  const ed25519Line = `${ed25519} me@home`
  const add = (ssh_key: unknown) => server.send('POST', '/api/v0/ssh/', world.keys.stranger, { ssh_key })

  it('are registered once and deleted', async () => {
    const answers = await atOnce(20, () => add(`${ed25519Line}\n`))
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    const { key } = (await add(ed25519Line)).body as { key: { id: number; public_key: string } }
    expect(key.public_key).toBe(ed25519Line)
    expect((await server.get('/api/v0/ssh', world.keys.stranger)).body).toEqual([key])
    expect((await server.send('DELETE', `/api/v0/ssh/${key.id}/`, world.keys.renter)).status).toBe(404)
    expect((await server.send('DELETE', `/api/v0/ssh/${key.id}`, world.keys.stranger)).status).toBe(200)
    expect((await server.send('DELETE', `/api/v0/ssh/${key.id}`, world.keys.stranger)).status).toBe(404)
    expect((await server.get('/api/v0/ssh', world.keys.stranger)).body).toEqual([])
  })

  it.each([
    '',
    'x',
    'ssh-ed25519',
    'ssh-rsa AAAA',
    `command="id" ${ed25519}`,
    `${ed25519}\n${ed25519}`,
    ed25519.replace('ed25519 ', 'rsa '),
    5,
  ])('refuses %j', async (text) => {
    expect(await add(text)).toMatchObject({ status: 400, body: { error: 'invalid_args' } })
  })
})
