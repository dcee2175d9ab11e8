import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKey } from '../../platform/security/api-keys.ts'
import { startServer, type TestServer } from '../server.ts'
import { atOnce, farStart, openWorld, type World } from '../world.ts'

let server: TestServer
let world: World
beforeAll(async () => {
  server = await startServer()
  world = await openWorld(server)
})
afterAll(() => server?.close())

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
type Permissions = { api: Record<string, object> }

const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).sort()
const insert = async (sql: string, values: unknown[] = []) =>
  (await server.postgres.query<{ id: number }>(`${sql} RETURNING id`, values)).rows[0]?.id ?? 0

/** A team of its own, with roles and members. */
async function openTeam() {
  const owner = await insert(`INSERT INTO accounts (name) VALUES ('Owner')`)
  const { key: ownersOwn } = await createKey(server.postgres, { accountId: owner })
  const { body } = await server.send('POST', '/api/v0/team', ownersOwn, { team_name: 'Night' })
  const team = (body as { id: number }).id
  const { key } = await createKey(server.postgres, { accountId: team, createdBy: owner })
  const ask = (method: Method, path: string, body?: unknown, as = key) =>
    server.send(method, `/api/v0/team${path}`, as, body)
  const addRole = async (name: string, permissions: Permissions) =>
    ((await ask('POST', '/roles', { name, permissions })).body as { id: number }).id
  const addMember = async (roleId: number | null) => {
    const person = await insert(`INSERT INTO accounts (name) VALUES ('Member')`)
    await server.postgres.query('INSERT INTO team_members (team_id, user_id, role_id) VALUES ($1, $2, $3)', [
      team,
      person,
      roleId,
    ])
    const { key } = await createKey(server.postgres, { accountId: team, createdBy: person })
    const { key: own } = await createKey(server.postgres, { accountId: person })
    return { id: person, key, own }
  }
  const roleOf = async (person: number) => {
    const { rows } = await server.postgres.query<{ role_id: number | null }>(
      'SELECT role_id FROM team_members WHERE team_id = $1 AND user_id = $2',
      [team, person],
    )
    return rows[0]?.role_id
  }
  return { team, owner, ownersOwn, key, ask, addRole, addMember, roleOf }
}

const reading = { api: { team_read: {} } }
const recruiting = { api: { team_read: {}, team_write: {} } }
const running = { api: { ...recruiting.api, instance_read: {}, instance_write: {} } }

describe('a role', () => {
  it('is changed by its id; members have the new permissions', async () => {
    const { ask, addRole, addMember, team } = await openTeam()
    const role = await addRole('watch', reading)
    const changed = await ask('PUT', `/roles/${role}`, { name: 'watchers', permissions: recruiting })
    expect(changed).toMatchObject({ status: 200, body: { success: true } })
    expect((await ask('GET', '/roles/watchers')).body).toEqual({
      id: role,
      name: 'watchers',
      permissions: recruiting,
    })
    const member = await addMember(role)
    expect((await ask('GET', '/invitations', undefined, member.key)).status).toBe(200)
    // Without a name the name stays. A repeat changes nothing.
    expect(statuses(await atOnce(20, () => ask('PUT', `/roles/${role}`, { permissions: reading })))).toEqual(
      Array(20).fill(200),
    )
    await addRole('other', reading)
    expect((await ask('PUT', `/roles/${role}`, { name: 'other', permissions: reading })).status).toBe(400)
    expect((await ask('PUT', `/roles/${role}`, { name: 'Owner', permissions: reading })).status).toBe(400)
    expect((await ask('PUT', '/roles/watchers', { permissions: reading })).status).toBe(404)
    expect((await ask('PUT', '/roles/1', { permissions: reading })).status).toBe(403)
    const { rows } = await server.postgres.query('SELECT name FROM roles WHERE team_id = $1 ORDER BY id', [
      team,
    ])
    expect(rows).toEqual([{ name: 'watchers' }, { name: 'other' }])
  })

  it('is deleted by its name or id, once; its members have no role then', async () => {
    const { ask, addRole, addMember, roleOf } = await openTeam()
    const role = await addRole('watch', reading)
    const member = await addMember(role)
    const answers = await atOnce(20, () => ask('DELETE', '/roles/watch'))
    expect(statuses(answers)).toEqual([200, ...Array(19).fill(404)])
    expect(answers.find(({ status }) => status === 200)?.body).toMatchObject({ status: 'success' })
    expect(await roleOf(member.id)).toBeNull()
    expect((await ask('GET', '/members', undefined, member.key)).status).toBe(401)
    const again = await addRole('watch', reading)
    expect((await ask('DELETE', '/roles/whatever', { role_id: again })).status).toBe(200)
    for (const name of ['owner', 'manager', 'member'])
      expect(await ask('DELETE', `/roles/${name}`)).toMatchObject({
        status: 403,
        body: { error: 'forbidden' },
      })
  })

  it('makes room for another one', async () => {
    const { ask, team } = await openTeam()
    await server.postgres.query(
      `INSERT INTO roles (team_id, name, permissions) SELECT $1, 'role ' || n, '{"api": {}}' FROM generate_series(1, 200) AS n`,
      [team],
    )
    const oneMore = () => ask('POST', '/roles', { name: 'one more', permissions: reading })
    expect((await oneMore()).status).toBe(400)
    expect((await ask('DELETE', '/roles/role%207')).status).toBe(200)
    expect((await oneMore()).status).toBe(200)
  })

  it('is 404 if it belongs to another team', async () => {
    const { ask } = await openTeam()
    const other = await openTeam()
    const role = await other.addRole('theirs', reading)
    const member = await other.addMember(role)
    for (const [method, path, body] of [
      ['PUT', `/roles/${role}`, { permissions: reading }],
      ['DELETE', '/roles/theirs', undefined],
      ['DELETE', '/roles/x', { role_id: role }],
      ['DELETE', `/members/${member.id}`, undefined],
      ['PUT', `/members/${member.id}/roles`, { role_id: 3 }],
    ] as const)
      expect([method, path, (await ask(method, path, body)).status]).toEqual([method, path, 404])
    expect(await other.roleOf(member.id)).toBe(role)
  })
})

describe('a change of roles gives no further rights', () => {
  it('a member neither gives, changes nor takes away what it does not have', async () => {
    const { ask, addRole, addMember, roleOf } = await openTeam()
    const recruiter = await addRole('recruiter', recruiting)
    const strong = await addRole('strong', running)
    const weak = await addRole('weak', reading)
    const [attacker, victim, helper] = [
      await addMember(recruiter),
      await addMember(strong),
      await addMember(weak),
    ]
    const as = (method: Method, path: string, body?: unknown) => ask(method, path, body, attacker.key)
    for (const [method, path, body] of [
      ['PUT', `/roles/${recruiter}`, { permissions: reading }], // its own role
      ['DELETE', '/roles/recruiter', undefined],
      ['PUT', `/roles/${weak}`, { permissions: running }], // more than its own
      ['PUT', `/roles/${strong}`, { permissions: reading }], // a role that allows more
      ['DELETE', '/roles/strong', undefined],
      ['PUT', `/members/${helper.id}/roles`, { role_id: strong }],
      ['PUT', `/members/${helper.id}/roles`, { role_id: 1 }], // owner
      ['PUT', `/members/${helper.id}/roles`, { role_id: 2 }], // manager
      ['PUT', `/members/${attacker.id}/roles`, { role_id: weak }], // its own membership
      ['PUT', `/members/${victim.id}/roles`, { role_id: weak }],
      ['DELETE', `/members/${victim.id}`, undefined],
      ['DELETE', `/members/${attacker.id}`, undefined],
    ] as const)
      expect([method, path, (await as(method, path, body)).status]).toEqual([method, path, 403])
    expect((await as('PUT', `/members/${helper.id}/roles`, { role_id: recruiter })).status).toBe(200)
    expect(await Promise.all([attacker, victim, helper].map(({ id }) => roleOf(id)))).toEqual([
      recruiter,
      strong,
      recruiter,
    ])
  })

  it('a narrow key of the owner is no wider for it', async () => {
    const { ask, addRole, addMember, team, owner } = await openTeam()
    const strong = await addRole('strong', running)
    const member = await addMember(null)
    const { key } = await createKey(server.postgres, {
      accountId: team,
      createdBy: owner,
      permissions: recruiting,
    })
    expect((await ask('PUT', `/members/${member.id}/roles`, { role_id: strong }, key)).status).toBe(403)
    expect((await ask('PUT', `/roles/${strong}`, { permissions: reading }, key)).status).toBe(403)
  })
})

describe('a member', () => {
  it('gets another role', async () => {
    const { ask, addRole, addMember, roleOf, owner } = await openTeam()
    const [watch, recruit] = [await addRole('watch', reading), await addRole('recruit', recruiting)]
    const member = await addMember(watch)
    const change = (body: unknown, id: unknown = member.id) => ask('PUT', `/members/${id}/roles`, body)
    const answers = await atOnce(20, () => change({ member_id: member.id, role_id: recruit }))
    expect(statuses(answers)).toEqual([200, ...Array(19).fill(400)])
    expect(answers.find(({ status }) => status === 200)?.body).toMatchObject({
      success: true,
      new_role_permissions: recruiting,
    })
    expect(await roleOf(member.id)).toBe(recruit)
    expect((await change({ member_id: member.id + 1, role_id: watch })).status).toBe(400)
    expect((await change({ role_id: 1 })).status).toBe(403)
    expect((await change({ role_id: 999_999 })).status).toBe(404)
    expect((await change({ role_id: watch }, owner)).status).toBe(403)
    expect((await change({ role_id: watch }, world.stranger_id)).status).toBe(404)
  })

  it('keeps no key after its removal, not even after joining again, and its jobs stop', async () => {
    const { ask, addRole, addMember, team, owner } = await openTeam()
    const member = await addMember(await addRole('runner', running))
    const job = await server.send('POST', '/api/v0/commands/schedule_job', member.key, {
      start_time: farStart(),
      api_endpoint: '/api/v0/team/members',
      request_method: 'GET',
      frequency: 'HOURLY',
    })
    expect(job.status).toBe(200)
    expect(statuses(await atOnce(20, () => ask('DELETE', `/members/${member.id}`)))).toEqual([
      200,
      ...Array(19).fill(404),
    ])
    const jobs = async () => (await server.get('/api/v0/commands/schedule_job', (await ownerKey()).key)).body
    const ownerKey = () => createKey(server.postgres, { accountId: team, createdBy: owner })
    expect(await jobs()).toMatchObject([
      { status: 'STOPPED', next_run: null, stop_reason: 'The person who wrote this job left the team' },
    ])
    await server.postgres.query(
      `UPDATE accounts SET email = 'back@demo.invalid', email_verified = true WHERE id = $1`,
      [member.id],
    )
    // A key that was created while the person was removed.
    const { key: late } = await createKey(server.postgres, { accountId: team, createdBy: member.id })
    await ask('POST', '/members', { email: 'back@demo.invalid' })
    expect((await server.send('POST', '/api/v0/team/join', member.own, { team_id: team })).status).toBe(200)
    await ask('POST', `/members/${member.id}/roles`, { role: 'runner' })
    const { rows } = await server.postgres.query(
      'SELECT FROM api_keys WHERE account_id = $1 AND created_by = $2 AND revoked_at IS NULL',
      [team, member.id],
    )
    expect(rows).toHaveLength(0)
    expect((await ask('GET', '/members', undefined, late)).status).toBe(401)
  })

  it('leaves by itself; the owner cannot', async () => {
    const { ask, addRole, addMember, team, ownersOwn } = await openTeam()
    const member = await addMember(await addRole('watch', reading))
    const leave = (key: string) => server.send('POST', '/api/v0/team/leave', key, { team_id: team })
    expect((await leave(ownersOwn)).status).toBe(403)
    expect((await leave(world.keys.stranger)).status).toBe(404)
    expect(statuses(await atOnce(20, () => leave(member.own)))).toEqual([200, ...Array(19).fill(404)])
    expect((await ask('GET', '/members', undefined, member.key)).status).toBe(401)
    expect((await server.get('/api/v0/team', member.own)).body).toEqual([])
  })

  it('sees addresses only with team_write', async () => {
    const { ask, addRole, addMember } = await openTeam()
    const [watcher, recruiter] = [
      await addMember(await addRole('watch', reading)),
      await addMember(await addRole('recruit', recruiting)),
    ]
    await server.postgres.query(
      `UPDATE accounts SET email = 'p' || id || '@demo.invalid', name = 'p' || id || '@demo.invalid' WHERE id = ANY($1)`,
      [[watcher.id, recruiter.id]],
    )
    const seen = async (key: string) =>
      (
        (await ask('GET', '/members', undefined, key)).body as {
          id: number
          email: string
          username: string
        }[]
      )
        .filter(({ id }) => [watcher.id, recruiter.id].includes(id))
        .map(({ email, username }) => [email, username])
    const full = [watcher, recruiter].map(({ id }) => Array(2).fill(`p${id}@demo.invalid`))
    expect(await seen(recruiter.key)).toEqual(full)
    expect(await seen(watcher.key)).toEqual([full[0], Array(2).fill('p***@demo.invalid')])
  })
})

describe('an invitation', () => {
  it('is listed and withdrawn, once', async () => {
    const { ask, addMember, team } = await openTeam()
    const guest = await addMember(null)
    await server.postgres.query('DELETE FROM team_members WHERE user_id = $1', [guest.id])
    await server.postgres.query(
      `UPDATE accounts SET email = 'Guest+1@demo.invalid', email_verified = true WHERE id = $1`,
      [guest.id],
    )
    await ask('POST', '/members', { email: 'guest+1@demo.invalid' })
    const [open] = (await ask('GET', '/invitations')).body as { created_at: number; expires_at: number }[]
    expect(open).toMatchObject({ email: 'guest+1@demo.invalid' })
    expect((open?.expires_at ?? 0) - (open?.created_at ?? 0)).toBeCloseTo(7 * 86_400, 0)
    const withdraw = () => ask('DELETE', `/invitations/${encodeURIComponent('GUEST+1@demo.invalid')}`)
    const other = await openTeam()
    expect((await other.ask('DELETE', '/invitations/guest+1@demo.invalid')).status).toBe(404)
    expect(statuses(await atOnce(20, withdraw))).toEqual([200, ...Array(19).fill(404)])
    expect((await ask('DELETE', '/invitations/%00')).status).toBe(404)
    expect((await ask('GET', '/invitations')).body).toEqual([])
    expect((await server.send('POST', '/api/v0/team/join', guest.own, { team_id: team })).status).toBe(404)
  })
})

describe('a team', () => {
  it('is listed and renamed by its owner', async () => {
    const { ask, addRole, addMember, team, ownersOwn } = await openTeam()
    const member = await addMember(await addRole('manager two', running))
    await server.send('POST', '/api/v0/team', ownersOwn, { team_name: 'Day' })
    expect((await ask('PUT', '', { team_name: 'Evening' }, member.key)).status).toBe(403)
    expect((await ask('PUT', '', { team_name: 'Day' })).status).toBe(400)
    expect(statuses(await atOnce(20, () => ask('PUT', '', { team_name: 'Evening' })))).toEqual(
      Array(20).fill(200),
    )
    expect((await server.get('/api/v0/team', ownersOwn)).body).toMatchObject([
      { id: team, team_name: 'Evening', role: 'owner' },
      { team_name: 'Day', role: 'owner' },
    ])
    expect((await server.get('/api/v0/team', member.own)).body).toMatchObject([
      { id: team, team_name: 'Evening', role: 'manager two' },
    ])
  })

  it('is deleted by its owner with everything in it, and makes room for another one', async () => {
    const { ask, addRole, addMember, team, ownersOwn, key } = await openTeam()
    const member = await addMember(await addRole('runner', running))
    for (const [path, body] of [
      [
        '/api/v0/ssh',
        { ssh_key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUF' },
      ],
      [
        '/api/v0/users/cloud_integrations',
        { name: 'x', cloud_type: 'dropbox', credentials: { token: 'a token' } },
      ],
      [`/api/v0/users/${team}/templates`, { templates: [{ name: 'x', image: 'y' }] }],
      [
        '/api/v0/commands/schedule_job',
        { start_time: farStart(), api_endpoint: '/api/v0/ssh', request_method: 'GET', frequency: 'HOURLY' },
      ],
      ['/api/v0/team/members', { email: 'late@demo.invalid' }],
    ] as const)
      expect([path, (await server.send('POST', path, key, body)).status]).toEqual([path, 200])
    for (let n = 2; n <= 10; n += 1)
      await server.send('POST', '/api/v0/team', ownersOwn, { team_name: `Team ${n}` })
    const another = () => server.send('POST', '/api/v0/team', ownersOwn, { team_name: 'Team 11' })
    expect((await another()).status).toBe(400)

    const instance = await insert(
      'INSERT INTO contracts (machine_id, account_id, price) VALUES ($1, $2, 1)',
      [world.machine_id, team],
    )
    expect((await ask('DELETE', '', {}, member.key)).status).toBe(403)
    expect(await ask('DELETE', '', {})).toMatchObject({ status: 400, body: { error: 'invalid_args' } })
    await server.postgres.query('UPDATE contracts SET ended_at = rackrate_now() WHERE id = $1', [instance])
    const answers = await atOnce(20, () => ask('DELETE', '', {}))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await another()).status).toBe(200)
    expect((await server.get('/api/v0/team', member.own)).body).toEqual([])
    for (const left of [
      'SELECT FROM team_members WHERE team_id = $1',
      'SELECT FROM roles WHERE team_id = $1',
      'SELECT FROM team_invitations WHERE team_id = $1',
      'SELECT FROM api_keys WHERE account_id = $1 AND revoked_at IS NULL',
      'SELECT FROM ssh_keys WHERE account_id = $1 AND deleted_at IS NULL',
      'SELECT FROM cloud_connections WHERE account_id = $1 AND length(credentials_sealed) > 0',
      'SELECT FROM scheduled_jobs WHERE account_id = $1 AND deleted_at IS NULL',
      'SELECT FROM template_library WHERE account_id = $1 AND deleted_at IS NULL',
    ])
      expect([left, (await server.postgres.query(left, [team])).rowCount]).toEqual([left, 0])
  })
})
