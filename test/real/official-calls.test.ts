// The requests of the marketplace's own command line, as it sends them, and the fields that it reads.
import { tmpdir } from 'node:os'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKey } from '../../platform/security/api-keys.ts'
import { openCarriers } from '../../src/companion/outbox/carriers.ts'
import { deliver } from '../../src/companion/outbox/deliver.ts'
import { startServer, type TestServer } from '../server.ts'
import { startSmtp } from '../smtp.ts'
import { atOnce, farStart, openWorld, type World } from '../world.ts'

type Body = Record<string, unknown>

let server: TestServer
let world: World
let smtp: Awaited<ReturnType<typeof startSmtp>>
let carriers: ReturnType<typeof openCarriers>
beforeAll(async () => {
  server = await startServer()
  world = await openWorld(server)
  smtp = await startSmtp()
  carriers = openCarriers({
    smtp: { url: smtp.url, from: 'rackrate@example.com' },
    sms: undefined,
    folder: tmpdir(),
  })
})
afterAll(async () => {
  await smtp?.close()
  await server?.close()
})

/** As the command line sends it: always with a JSON body, `{}` when there is nothing to say. */
const send = async (method: 'POST' | 'PUT' | 'DELETE', path: string, key: string, body: Body = {}) =>
  (await server.send(method, path, key, body)) as unknown as { status: number; body: Body }
const get = async (path: string, key: string) =>
  (await server.get(path, key)) as unknown as { status: number; body: Body }
/** A query string in which values other than text are JSON, percent-encoded. */
const json = (value: unknown) => encodeURIComponent(JSON.stringify(value))

const token = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

let people = 0
async function newPerson() {
  people += 1
  const email = `official${people}@example.com`
  const { rows } = await server.postgres.query<{ id: number }>(
    `INSERT INTO accounts (name, email, email_verified) VALUES ('Person', $1, true) RETURNING id`,
    [email],
  )
  const id = rows[0]?.id ?? 0
  return { id, email, key: (await createKey(server.postgres, { accountId: id })).key }
}
const mailed = async () => {
  await deliver(server.postgres, server.vault, carriers)
  return /^(\d{6}) is your/m.exec(smtp.mails.at(-1)?.raw ?? '')?.[1] ?? ''
}
const totpOf = (secret: unknown) => new TOTP({ secret: Secret.fromBase32(String(secret)) })
/** The next code of an app: a step is accepted once. */
const forgetSteps = (id: number) =>
  server.postgres.query('UPDATE tfa_methods SET last_step = NULL WHERE account_id = $1', [id])

describe('tfa', () => {
  /** `tfa auth-new`, `tfa totp-setup`, `tfa activate`. */
  async function enrol(person: { id: number; key: string }) {
    const asked = await send('POST', '/api/v0/tfa/authorize-new-method/', person.key)
    const code = await mailed()
    const granted = await send('PUT', '/api/v0/tfa/authorize-new-method/', person.key, {
      secret: asked.body.secret,
      code,
    })
    const setup = await send('POST', '/api/v0/tfa/totp-setup/', person.key)
    const totp = totpOf(setup.body.secret)
    const active = await send('POST', '/api/v0/tfa/confirm-new/', person.key, {
      tfa_method: 'totp',
      code: totp.generate(),
      secret: setup.body.secret,
      phone_number: null,
      label: null,
    })
    await forgetSteps(person.id)
    return { asked, granted, setup, totp, active }
  }

  it('enrols by mail, activates, logs in with a code, and goes on with the session key', async () => {
    const person = await newPerson()
    const { asked, granted, setup, totp, active } = await enrol(person)
    expect(asked).toMatchObject({ status: 200, body: { secret: expect.any(String) } })
    expect(granted.status).toBe(200)
    expect(setup.body).toMatchObject({
      secret: expect.stringMatching(/^[A-Z2-7]+$/),
      provisioning_uri: expect.stringContaining('otpauth://totp/'),
    })
    expect(active).toMatchObject({ status: 200, body: { success: true, msg: expect.any(String) } })
    expect(active.body.backup_codes).toHaveLength(10)

    const login = await send('POST', '/api/v0/tfa/', person.key, { code: totp.generate() })
    expect(login).toMatchObject({ status: 200, body: { session_key: expect.any(String) } })
    expect(login.body).not.toHaveProperty('backup_codes_remaining')
    const session = String(login.body.session_key)
    expect((await get('/api/v0/ssh/', session)).status).toBe(200)
    // A session key is not among the keys of the person.
    const { apikeys } = (await get('/api/v0/auth/apikeys/', session)).body as { apikeys: unknown[] }
    expect(apikeys).toHaveLength(1)

    const [backup_code] = active.body.backup_codes as string[]
    const again = await send('POST', '/api/v0/tfa/', person.key, { backup_code })
    expect(again.body).toMatchObject({ session_key: expect.any(String), backup_codes_remaining: 9 })
    expect(await send('POST', '/api/v0/tfa/', person.key)).toMatchObject({
      status: 401,
      body: { error: 'missing_auth_value' },
    })

    const status = await get('/api/v0/tfa/status/', session)
    expect(status.body).toMatchObject({ tfa_enabled: true, backup_codes_remaining: 9 })
    expect(status.body.methods).toEqual([
      {
        id: expect.any(Number),
        user_id: person.id,
        method: 'totp',
        tfa_method: 'totp',
        is_primary: true,
        label: '',
        phone_number: null,
        created_at: expect.any(Number),
        last_used: expect.any(Number),
        fail_count: 0,
        locked_until: null,
      },
    ])
  })

  it('a session key that ran out, or whose key was revoked, is 401 Invalid user key', async () => {
    const person = await newPerson()
    const { totp } = await enrol(person)
    const { body } = await send('POST', '/api/v0/tfa/', person.key, { code: totp.generate() })
    const session = String(body.session_key)
    await server.postgres.query(
      `UPDATE api_keys SET expires_at = rackrate_now() WHERE created_by = $1 AND stands_for IS NOT NULL`,
      [person.id],
    )
    expect(await get('/api/v0/ssh/', session)).toMatchObject({
      status: 401,
      body: { msg: 'Invalid user key' },
    })
    await forgetSteps(person.id)
    const second = await send('POST', '/api/v0/tfa/', person.key, { code: totp.generate() })
    // The next login deletes the expired one.
    const { rows } = await server.postgres.query(
      'SELECT FROM api_keys WHERE created_by = $1 AND stands_for IS NOT NULL',
      [person.id],
    )
    expect(rows).toHaveLength(1)
    await server.postgres.query('UPDATE api_keys SET revoked_at = rackrate_now() WHERE created_by = $1', [
      person.id,
    ])
    expect((await get('/api/v0/ssh/', String(second.body.session_key))).status).toBe(401)
  })

  it('activation without authorization is 403; an authorization is for one method', async () => {
    const person = await newPerson()
    const setup = await send('POST', '/api/v0/tfa/totp-setup/', person.key)
    const activation = { tfa_method: 'totp', code: totpOf(setup.body.secret).generate() }
    expect(await send('POST', '/api/v0/tfa/confirm-new/', person.key, activation)).toMatchObject({
      status: 403,
      body: { error: 'authorization_required' },
    })
    const { active } = await enrol(person)
    expect(active.status).toBe(200)
    expect(await send('POST', '/api/v0/tfa/totp-setup/', person.key)).toMatchObject({ status: 400 })
    expect(await send('POST', '/api/v0/tfa/confirm-new/', person.key, activation)).toMatchObject({
      status: 403,
    })
  })

  it('a backup code or a method of the account authorizes a further method', async () => {
    const person = await newPerson()
    const { active, totp } = await enrol(person)
    const [backup_code] = active.body.backup_codes as string[]
    const { methods } = (await get('/api/v0/tfa/status/', person.key)).body as { methods: { id: number }[] }
    expect(await send('POST', '/api/v0/tfa/authorize-new-method/', person.key, { backup_code })).toEqual(
      expect.objectContaining({
        status: 200,
        body: { success: true, msg: 'Authorization successful.' },
      }),
    )
    const sent = await send('POST', '/api/v0/tfa/sms/', person.key, { phone_number: '+15550001111' })
    expect(sent).toMatchObject({ status: 200, body: { secret: expect.any(String), msg: '2FA Sent' } })
    const { secret } = sent.body
    const resent = await send('POST', '/api/v0/tfa/sms/resend/', person.key, { secret, phone_number: null })
    expect(resent).toMatchObject({ status: 200, body: { msg: expect.any(String) } })
    const wrongPhone = { tfa_method: 'sms', code: '000000', secret, phone_number: '+15550002222' }
    expect(await send('POST', '/api/v0/tfa/confirm-new/', person.key, wrongPhone)).toMatchObject({
      status: 400,
      body: { error: 'phone_number_mismatch' },
    })

    // The app's code, for the method named by its id as a text.
    const asked = await send('POST', '/api/v0/tfa/authorize-new-method/', person.key, {
      tfa_method_id: `${methods[0]?.id}`,
    })
    const pending = { secret: asked.body.secret, code: totp.generate() }
    expect(
      await send('PUT', '/api/v0/tfa/authorize-new-method/', person.key, { ...pending, secret: 'other' }),
    ).toMatchObject({ status: 400, body: { error: 'no_pending_authorization' } })
    const complete = () => send('PUT', '/api/v0/tfa/authorize-new-method/', person.key, pending)
    expect((await complete()).status).toBe(200)
    expect((await complete()).status).toBe(200) // a repeat has no effect
    expect((await get('/api/v0/tfa/status/', person.key)).body.new_method_authorized).toBe(true)
  })

  it('wrong codes at login are counted, in the answer and in the status', async () => {
    const person = await newPerson()
    const { totp } = await enrol(person)
    const code = totp.generate() === '000000' ? '000001' : '000000'
    for (const fail_count of [1, 2, 3, 4])
      expect(await send('POST', '/api/v0/tfa/', person.key, { code })).toMatchObject({
        status: 400,
        body: { error: '2fa_verification_failed', fail_count },
      })
    expect((await send('POST', '/api/v0/tfa/', person.key, { code })).body.locked_until).toEqual(
      expect.any(Number),
    )
    expect((await get('/api/v0/tfa/status/', person.key)).body.methods).toMatchObject([
      { fail_count: 5, locked_until: expect.any(Number) },
    ])
  })

  it('labels methods, keeps one primary, and removes the method of the code', async () => {
    const person = await newPerson()
    const { totp, active } = await enrol(person)
    const codes = active.body.backup_codes as string[]
    await send('POST', '/api/v0/tfa/authorize-new-method/', person.key, { backup_code: codes[0] })
    const { secret } = (await send('POST', '/api/v0/tfa/totp-setup/', person.key)).body
    const confirmed = await send('POST', '/api/v0/tfa/confirm-new/', person.key, {
      code: totpOf(secret).generate(),
      secret,
      label: 'second',
    })
    expect(confirmed.body).not.toHaveProperty('backup_codes')
    const second = Number(confirmed.body.tfa_method_id)
    const update = { tfa_method_id: second, is_primary: true, label: 'Work' }
    expect(await send('PUT', '/api/v0/tfa/update/', person.key, update)).toMatchObject({
      status: 200,
      body: {
        success: true,
        msg: expect.any(String),
        method: { id: second, label: 'Work', is_primary: true },
      },
    })
    const primaries = async () =>
      ((await get('/api/v0/tfa/status/', person.key)).body.methods as { is_primary: boolean }[]).map(
        ({ is_primary }) => is_primary,
      )
    expect(await primaries()).toEqual([false, true])
    expect(
      await send('PUT', '/api/v0/tfa/update/', person.key, { ...update, label: 'x'.repeat(31) }),
    ).toMatchObject({ status: 400 })
    await forgetSteps(person.id)
    const other = { tfa_method_id: second, code: totpOf(secret).generate() }
    expect((await send('DELETE', '/api/v0/tfa/', person.key, other)).body).toEqual({
      success: true,
      remaining_methods: 1,
    })
    expect(await primaries()).toEqual([true])
    const last = await send('DELETE', '/api/v0/tfa/', person.key, { code: totp.generate() })
    expect(last.body).toEqual({ success: true }) // without remaining_methods: 2FA is off
  })
})

describe('team', () => {
  const members = async () =>
    (await get('/api/v0/team/members/', world.keys.team)).body as unknown as { id: number; roles: string[] }[]

  it('lists the roles that can be given, without owner', async () => {
    const { body } = await get('/api/v0/team/roles-full/', world.keys.team)
    expect((body as unknown as { name: string }[]).map(({ name }) => name)).toEqual([
      'manager',
      'member',
      'operator',
    ])
    expect(body).toMatchObject([
      { id: expect.any(Number), permissions: { api: expect.any(Object) }, identifier: 'manager' },
      { identifier: 'member' },
      { identifier: null },
    ])
  })

  it('invites with the address and the role in the query; joining gives the role', async () => {
    const guest = await newPerson()
    const invite = (query: string, body: Body = {}) =>
      send('POST', `/api/v0/team/invite/?${query}`, world.keys.team, body)
    const query = `email=${encodeURIComponent(guest.email.toUpperCase())}&role=operator`
    expect(await invite(query)).toMatchObject({ status: 200, body: { success: true } })
    expect(await invite(query)).toMatchObject({ status: 200 })
    expect((await send('POST', '/api/v0/team/join/', guest.key, { team_id: world.team_id })).status).toBe(200)
    expect((await members()).find(({ id }) => id === guest.id)).toMatchObject({
      role: 'operator',
      roles: ['operator'],
    })
    expect(await invite(query)).toMatchObject({ status: 400, body: { error: 'invalid_args' } })
    expect(await invite('email=a%40example.com&role=nothing')).toMatchObject({ status: 404 })
    expect(await invite('email=a%40example.com&role=owner')).toMatchObject({ status: 400 })
    expect(await invite('role=member')).toMatchObject({ status: 400, body: { msg: 'email is required' } })
    expect(await invite('', { email: 'b@example.com', role: 'member' })).toMatchObject({ status: 200 })
    expect(await send('DELETE', `/api/v0/team/members/${guest.id}/`, world.keys.team)).toMatchObject({
      status: 200,
      body: { status: 'success', message: expect.any(String) },
    })
  })

  it('an invitation gives no role that allows more than the key', async () => {
    const { rows } = await server.postgres.query<{ id: number }>(
      `INSERT INTO accounts (name) VALUES ('Recruiter') RETURNING id`,
    )
    const id = rows[0]?.id ?? 0
    await server.postgres.query(
      `WITH r AS (INSERT INTO roles (team_id, name, permissions) VALUES ($1, 'recruiter', '{"api": {"team_write": {}, "team_read": {}}}') RETURNING id)
       INSERT INTO team_members (team_id, user_id, role_id) SELECT $1, $2, id FROM r`,
      [world.team_id, id],
    )
    const { key } = await createKey(server.postgres, { accountId: world.team_id, createdBy: id })
    const path = '/api/v0/team/invite/?email=c%40example.com'
    expect((await send('POST', `${path}&role=manager`, key)).status).toBe(403)
    expect((await send('POST', `${path}&role=recruiter`, key)).status).toBe(200)
  })

  it('a role that was deleted before joining is not given', async () => {
    const guest = await newPerson()
    await send('POST', '/api/v0/team/roles/', world.keys.team, {
      name: 'short lived',
      permissions: { api: { misc: {} } },
    })
    const query = `email=${encodeURIComponent(guest.email)}&role=short%20lived`
    await send('POST', `/api/v0/team/invite/?${query}`, world.keys.team)
    expect((await send('DELETE', '/api/v0/team/roles/short%20lived/', world.keys.team)).status).toBe(200)
    await send('POST', '/api/v0/team/join/', guest.key, { team_id: world.team_id })
    expect((await members()).find(({ id }) => id === guest.id)).toMatchObject({ role: null, roles: [] })
  })

  it('members come in pages that keep their place', async () => {
    const everybody = await members()
    const seen: unknown[] = []
    let path: string | undefined = '/api/v0/team/members/?limit=1'
    while (path) {
      const answer = await server.get(path, world.keys.team)
      expect(answer.body).toHaveLength(1)
      seen.push(...(answer.body as unknown[]))
      const next = answer.headers['rackrate-next-token']
      path = next ? `/api/v0/team/members/?limit=1&after_token=${next}` : undefined
    }
    expect(everybody.length).toBeGreaterThan(2)
    expect(seen).toEqual(everybody)
    const forged = `/api/v0/team/members/?after_token=${token([1, 'x'])}`
    expect((await get(forged, world.keys.team)).status).toBe(400)
  })

  it('goes to a manager, and the owner before stays as a manager', async () => {
    const heir = await newPerson()
    const owner = await newPerson()
    const team = (await send('POST', '/api/v0/team/', owner.key, { team_name: 'Ours', transfer_credit: 0 }))
      .body
    const team_id = Number(team.id)
    const { key } = await createKey(server.postgres, { accountId: team_id, createdBy: owner.id })
    const transfer = () => send('PUT', '/api/v0/team/transfer/', key, { new_team_owner_id: heir.id })
    expect((await transfer()).status).toBe(400)
    await server.postgres.query(
      `INSERT INTO team_members (team_id, user_id, role_id) SELECT $1, $2, id FROM roles WHERE team_id IS NULL AND name = 'manager'`,
      [team_id, heir.id],
    )
    const statuses = (await atOnce(2, transfer)).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, 403])
    const { body } = await get('/api/v0/team/members/', key)
    expect(body).toMatchObject([
      { id: heir.id, role: 'owner' },
      { id: owner.id, role: 'manager' },
    ])
    expect((await send('DELETE', '/api/v0/team/', key)).status).toBe(403)
  })
})

describe('templates', () => {
  /** All fields that the command line knows; what is not set is null. */
  const fields = (changes: Body = {}) => ({
    name: 'PyTorch',
    image: 'pytorch/pytorch',
    tag: '2.5',
    href: null,
    repo: null,
    env: null,
    onstart: null,
    jup_direct: false,
    ssh_direct: false,
    use_jupyter_lab: false,
    runtype: 'args',
    use_ssh: false,
    jupyter_dir: null,
    docker_login_repo: null,
    extra_filters: { verified: { eq: true }, external: { eq: false }, rentable: { eq: true } },
    recommended_disk_space: '16',
    readme: null,
    readme_visible: false,
    desc: null,
    private: true,
    ...changes,
  })
  const create = (key: string, changes: Body = {}) => send('POST', '/api/v0/template/', key, fields(changes))
  const search = async (key: string, filters: Body, rest = '') =>
    (await get(`/api/v0/template/?select_cols=${json(['*'])}&select_filters=${json(filters)}${rest}`, key))
      .body as { templates: { id: number; name: string; hash_id: string }[]; templates_found: number }

  it('are created once, edited by their hash, and deleted', async () => {
    const { key } = await newPerson()
    const created = await create(key)
    expect(created).toMatchObject({
      status: 200,
      body: { success: true, template: { name: 'PyTorch', recommended_disk_space: 16, runtype: 'args' } },
    })
    const { id, hash_id } = created.body.template as { id: number; hash_id: string }
    expect((await create(key)).body).toMatchObject({ success: true, template: { id, hash_id } })

    const edit = () =>
      send('PUT', '/api/v0/template/', key, {
        ...fields({ name: null, image: null, tag: '2.6', extra_filters: null, recommended_disk_space: null }),
        hash_id,
      })
    const edited = await edit()
    const { template } = edited.body as { template: { id: number; hash_id: string } }
    expect(template).toMatchObject({
      name: 'PyTorch',
      tag: '2.6',
      recommended_disk_space: 16,
      extra_filters: fields().extra_filters,
    })
    expect(template.hash_id).not.toBe(hash_id)
    expect((await edit()).body).toEqual(edited.body)
    expect((await search(key, { tag: { eq: '2.6' } })).templates).toMatchObject([{ id: template.id }])
    expect((await search(key, { tag: { eq: '2.5' } })).templates).toEqual([])
    expect(await send('PUT', '/api/v0/template/', key, { ...fields(), hash_id: 'none' })).toMatchObject({
      status: 404,
    })
    expect(await send('DELETE', '/api/v0/template/', key, { hash_id: template.hash_id })).toMatchObject({
      status: 200,
      body: { msg: expect.any(String) },
    })
    expect(await search(key, {})).toMatchObject({ success: true, templates: [], templates_found: 0 })
  })

  it('are edited by their id at the second path, which lists the same', async () => {
    const { key } = await newPerson()
    const { template: old } = (await create(key)).body as { template: { id: number; hash_id: string } }
    const edit = () => send('PUT', '/api/v1/template/', key, { id: `${old.id}`, name: null, tag: '2.7' })
    const edited = await edit()
    expect(edited).toMatchObject({ status: 200, body: { template: { name: 'PyTorch', tag: '2.7' } } })
    expect((await edit()).body).toEqual(edited.body)
    const question = `select_filters=${json({ tag: { eq: '2.7' } })}`
    const [first, second] = [
      await get(`/api/v0/template/?${question}`, key),
      await get(`/api/v1/template/?${question}`, key),
    ]
    expect(second.body).toEqual(first.body)
    expect(second.body).toMatchObject({ templates_found: 1 })
    const stranger = await newPerson()
    const { id } = edited.body.template as { id: number }
    for (const unknown of [id, 999_999])
      expect(await send('PUT', '/api/v1/template/', stranger.key, { id: unknown, tag: 'x' })).toMatchObject({
        status: 404,
        body: { error: 'not_found', msg: 'There is no such template' },
      })
  })

  it('are found by filters in the types that clients send, own and public ones', async () => {
    const [owner, reader] = [await newPerson(), await newPerson()]
    await create(owner.key, {
      name: 'Public one',
      image: 'a/b_c',
      private: false,
      recommended_disk_space: '40',
    })
    await create(owner.key, { name: 'Private one' })
    const found = async (filters: Body, key = reader.key) =>
      (await search(key, { creator_id: { eq: `${owner.id}` }, ...filters })).templates.map(({ name }) => name)
    expect(await found({})).toEqual(['Public one'])
    expect(await found({}, owner.key)).toEqual(['Public one', 'Private one'])
    const cases: [Body, string[]][] = [
      [{ name: { eq: 'Public one' } }, ['Public one']],
      [{ image: { eq: 'a/b c' } }, ['Public one']], // clients turn _ into a space
      [{ recommended_disk_space: { gte: '40' } }, ['Public one']],
      [{ recommended_disk_space: { gt: 40 } }, []],
      [{ recommended_disk_space: { lt: '100', lte: 40.0 } }, ['Public one']],
      [{ private: { eq: false } }, ['Public one']],
      [{ private: { neq: 'False' } }, []],
      [{ name: { in: ['x', 'Public one'] } }, ['Public one']],
      [{ name: { notin: ['Public one'] } }, []],
      [{ recommended: { eq: null } }, ['Public one']], // not recorded
      [{ recent_create_date: { gt: 0 } }, []], // unknown is not greater than anything
      [{ created_at: { gt: 1_700_000_000.5 } }, ['Public one']],
    ]
    for (const [filters, names] of cases) expect([filters, await found(filters)]).toEqual([filters, names])
  })

  it.each([
    [`select_filters=${json({ nothing: { eq: 1 } })}`, 'there is no column nothing'],
    [`select_filters=${json({ id: { eq: 'x' } })}`, 'id: eq takes a number'],
    [`select_filters=${json({ id: { like: 1 } })}`, 'id: the operator must be one of eq, neq'],
    [`select_filters=${json({ name: { in: 'x' } })}`, 'name: in takes a text'],
    [`select_filters=${json([])}`, 'filters must be an object'],
    [`select_filters=${json({ __proto__x: { eq: 1 }, id: { eq: [] } })}`, 'id: eq takes a number'],
    ['select_filters=%7B', 'select_filters must be JSON'],
    [`select_filters=${json({ name: { eq: 'a\u0000' } })}`, 'without NUL characters'],
    [`select_filters=${json({ name: { in: ['\ud800'] } })}`, 'without NUL characters'],
    [`after_token=${token([2 ** 31, 1])}`, 'after_token must be'],
    [`after_token=${token([1, 'a\u0000'])}`, 'after_token must be'],
    [`after_token=${token([1, {}])}`, 'after_token must be'],
    [`order_by=${json([{ col: 'secret', dir: 'asc' }])}`, 'order_by'],
    ['limit=x', 'limit must be an integer'],
    ['after_token=x', 'after_token must be the next_token of an answer'],
  ])('refuses %s', async (query, msg) => {
    const answer = await get(`/api/v0/template/?${query}`, world.keys.renter)
    expect(answer).toMatchObject({
      status: 400,
      body: { error: 'invalid_args', msg: expect.stringContaining(msg) },
    })
  })
})

describe('volumes', () => {
  it('are searched with a flat body, listed by their renter, and unlisted by their host', async () => {
    const { machine_id } = world
    const offered = await send('POST', '/api/v0/volumes/', world.keys.host, {
      machine: machine_id,
      size: 100,
      price_disk: 0.2,
    })
    const [{ new_contracts }] = offered.body.results as [{ new_contracts: { id: number }[] }]
    const listing = new_contracts[0]?.id
    const search = (changes: Body = {}) =>
      send('POST', '/api/v0/volumes/search/', world.keys.renter, {
        verified: { eq: true },
        external: { eq: false },
        disk_space: { gte: '1' },
        order: [['score', 'desc']],
        allocated_storage: 10,
        ...changes,
      })
    // The machine is not verified: null takes the default away.
    expect((await search()).body.offers).toEqual([])
    const { offers } = (await search({ verified: null })).body
    expect(offers).toEqual([
      expect.objectContaining({
        id: listing,
        machine_id,
        disk_space: 100,
        storage_cost: 0.2,
        storage_total_cost: 2,
        verification: 'unverified',
        duration: expect.any(Number),
        cuda_max_good: null,
        reliability: null,
      }),
    ])
    expect((await search({ verified: null, disk_space: { gt: 100 } })).body.offers).toEqual([])
    expect((await search({ verified: null, cpu_ghz: { gt: '1' } })).body.offers).toEqual([])
    expect(await search({ nonsense: { eq: 1 } })).toMatchObject({ status: 400 })
    await send('POST', '/api/v0/volumes/', world.keys.host, { machine: machine_id, hidden_listing: true })
    expect((await search({ verified: null })).body.offers).toEqual([])

    const { rows } = await server.postgres.query<{ id: number }>(
      `INSERT INTO volume_contracts (listing_id, machine_id, account_id, size, price_disk, ends_at)
       VALUES ($1, $2, $3, 30, 0.2, rackrate_now() + interval '1 day') RETURNING id`,
      [listing, machine_id, world.renter_id],
    )
    for (const path of ['/api/v0/volumes?owner=me&type=all_volume', '/api/v0/volumes/?type=local_volume'])
      expect((await get(path, world.keys.renter)).body.volumes).toEqual([
        expect.objectContaining({
          id: rows[0]?.id,
          start_date: expect.any(Number),
          disk_space: 30,
          machine_id,
          status: 'active',
          instances: [],
        }),
      ])
    expect(
      (await get('/api/v0/volumes?owner=me&type=network_volume', world.keys.renter)).body.volumes,
    ).toEqual([])
    expect((await get('/api/v0/volumes?owner=me', world.keys.stranger)).body.volumes).toEqual([])
    const unlist = () => send('POST', '/api/v0/volumes/unlist', world.keys.host, { id: listing })
    expect(await unlist()).toMatchObject({ status: 400 })
    await server.postgres.query('UPDATE volume_contracts SET ended_at = rackrate_now()')
    expect(await unlist()).toMatchObject({ status: 200, body: { msg: expect.any(String) } })
  })
})

describe('API keys', () => {
  it('are made, listed in an envelope, shown one by one, and replaced', async () => {
    const person = await newPerson()
    const made = await send('POST', '/api/v0/auth/apikeys/', person.key, {
      name: 'cli',
      permissions: { api: { user_read: {}, user_write: {} } },
      key_params: '{}',
    })
    expect(made.body).toMatchObject({
      id: expect.any(Number),
      key: expect.any(String),
      permissions: { api: { user_read: {}, user_write: {} } },
    })
    const { apikeys } = (await get('/api/v0/auth/apikeys/', person.key)).body as { apikeys: { id: number }[] }
    const row = apikeys.find(({ id }) => id === made.body.id)
    expect(row).toMatchObject({
      user_id: person.id,
      key: null,
      key_type: 'user',
      name: 'cli',
      team_id: null,
      team_name: null,
    })
    expect((await get(`/api/v0/auth/apikeys/${made.body.id}/`, person.key)).body).toEqual(row)
    expect((await get(`/api/v0/auth/apikeys/${made.body.id}/`, world.keys.stranger)).status).toBe(404)

    const old = String(made.body.key)
    const reset = await send('PUT', '/api/v0/commands/reset_apikey/', old, { client_id: 'me' })
    expect(reset).toMatchObject({ status: 200, body: { success: true, new_api_key: expect.any(String) } })
    const replaced = String(reset.body.new_api_key)
    expect((await get('/api/v0/users/current', replaced)).body).toMatchObject({
      id: person.id,
      permissions: { api: { user_read: {}, user_write: {} } },
    })
    const { rows } = await server.postgres.query<{ revoked: boolean }>(
      'SELECT revoked_at IS NOT NULL AS revoked FROM api_keys WHERE id = $1',
      [made.body.id],
    )
    expect(rows).toEqual([{ revoked: true }])
  })

  it('one of two requests to replace a key succeeds', async () => {
    const person = await newPerson()
    const answers = await atOnce(2, () =>
      send('PUT', '/api/v0/commands/reset_apikey/', person.key, { client_id: 'me' }),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
  })
})

describe('copies and jobs', () => {
  const copy = () => ({
    client_id: 'me',
    instance_id: `${world.instance_id}`,
    src: '/workspace',
    dst: '/backup',
    selected: `${world.cloud_connection_id}`,
    transfer: 'Instance To Cloud',
    flags: [],
  })

  it('cloud copy under its real path is the same copy', async () => {
    const answer = await send('POST', '/api/v0/commands/rclone/', world.keys.renter, copy())
    expect(answer).toMatchObject({ status: 200, body: { success: true, result_url: expect.any(String) } })
    expect((await send('POST', '/api/v0/commands/copytool/', world.keys.renter, copy())).body).toEqual(
      answer.body,
    )
  })

  it('cloud copy --schedule reads the instance, gets the existing job, and updates it', async () => {
    const instance = await get(`/api/v0/instances/${world.instance_id}/?owner=me`, world.keys.renter)
    expect(instance.body.instances).toMatchObject({
      id: world.instance_id,
      internet_up_cost_per_tb: null,
      end_date: expect.any(Number),
      start_date: expect.any(Number),
      extra_env: [],
    })
    for (const [path, key] of [
      [`/api/v0/instances/${world.instance_id}/?owner=me`, world.keys.stranger],
      ['/api/v0/instances/999999/', world.keys.renter],
    ] as const)
      expect(await get(path, key)).toMatchObject({ status: 200, body: { instances: null } })
    for (const path of ['x', '1e3', '-1', 'pending-price-increases'])
      expect(await get(`/api/v0/instances/${path}/`, world.keys.renter)).toMatchObject({
        status: 404,
        body: { error: 'not_found' },
      })

    const nine = (changes: Body = {}) => ({
      start_time: farStart(),
      end_time: farStart() + 86_400,
      api_endpoint: '/api/v0/commands/rclone/',
      request_method: 'POST',
      request_body: copy(),
      instance_id: world.instance_id,
      day_of_the_week: null,
      hour_of_the_day: 5,
      frequency: 'DAILY',
      ...changes,
    })
    const create = (changes: Body = {}) =>
      send('POST', '/api/v0/commands/schedule_job/', world.keys.renter, nine(changes))
    const created = await create()
    const id = created.body.scheduled_job_id
    expect(created.status).toBe(200)
    expect((await create()).body.scheduled_job_id).toBe(id) // a repeat
    const exists = await create({ hour_of_the_day: 6 })
    expect(exists).toMatchObject({ status: 422, body: { error: 'job_exists', scheduled_job_id: id } })
    const update = nine({ hour_of_the_day: 6 })
    expect(
      (await send('PUT', `/api/v0/commands/schedule_job/${id}/`, world.keys.renter, update)).status,
    ).toBe(200)
    // A copy with another destination is a separate job.
    expect((await create({ request_body: { ...copy(), dst: '/other' } })).status).toBe(200)
    const { body } = await get('/api/v0/commands/schedule_job/', world.keys.renter)
    expect(body).toHaveLength(2)
  })
})

describe('machines and instances', () => {
  it('machines are listed, shown as a list of one, and paged', async () => {
    const owner = await newPerson()
    const { rows } = await server.postgres.query<{ id: number }>(
      `INSERT INTO machines (account_id, gpu_name, num_gpus, gpu_ram, tflops, disk_space, geolocation, online)
       SELECT $1, 'H100 SXM', 4, 81920, 4000, 1000, 'California, US', n < 5 FROM generate_series(1, 5) n RETURNING id`,
      [owner.id],
    )
    const [first] = rows
    await server.postgres.query('INSERT INTO gpu_listings (machine_id, price) VALUES ($1, 2.5)', [first?.id])
    for (const [gpu, type] of [
      [0, 'on_demand'],
      [1, 'interruptible'],
      [2, 'reserved'],
    ])
      await server.postgres.query(
        `WITH c AS (INSERT INTO contracts (machine_id, account_id, price, rental_type) VALUES ($1, $2, 2, $4) RETURNING id)
         INSERT INTO gpu_holds (machine_id, gpu_index, contract_id) SELECT $1, $3, id FROM c`,
        [first?.id, world.renter_id, gpu, type],
      )
    const listed = (await get('/api/v0/machines?owner=me', owner.key)).body as { machines: Body[] }
    expect(listed.machines).toHaveLength(5)
    expect(listed.machines[0]).toMatchObject({
      id: first?.id,
      num_gpus: 4,
      gpu_name: 'H100 SXM',
      disk_space: 1000,
      hostname: '',
      reliability2: null,
      verification: 'unverified',
      geolocation: 'California, US',
      listed: true,
      listed_gpu_cost: 2.5,
      timeout: 0,
      total_flops: 4000,
      gpu_occupancy: 'D I R x',
      current_rentals_running: 3,
      current_rentals_on_demand: 2,
    })
    expect(listed.machines[4]).toMatchObject({
      listed: false,
      listed_gpu_cost: null,
      timeout: null,
      gpu_occupancy: 'x x x x',
    })
    const alone = await get(`/api/v0/machines/${first?.id}?owner=me`, owner.key)
    expect(alone.body).toEqual([listed.machines[0]])
    expect((await get(`/api/v0/machines/${first?.id}?owner=me`, world.keys.stranger)).status).toBe(404)
    expect((await get('/api/v0/machines/99999999999/', owner.key)).status).toBe(404)

    const seen: Body[] = []
    let token: unknown = ''
    let pages = 0
    while (token !== null) {
      const after: string = token ? `&after_token=${token}` : ''
      const { body } = await get(`/api/v1/machines/?owner=me&limit=2${after}`, owner.key)
      expect(body.total_machines).toBe(5)
      seen.push(...(body.machines as Body[]))
      token = body.next_token
      pages += 1
    }
    expect([pages, seen]).toEqual([3, listed.machines])
  })

  it('instances are paged in any order, filtered and counted', async () => {
    const renter = await newPerson()
    await server.postgres.query(
      `INSERT INTO contracts (machine_id, account_id, price, disk_space, starts_at, actual_status)
       SELECT $1, $2, 1, n % 3, rackrate_now() - make_interval(hours => n), CASE WHEN n % 2 = 0 THEN 'running' ELSE 'exited' END
       FROM generate_series(1, 60) n`,
      [world.machine_id, renter.id],
    )
    const page = async (query: string) => (await get(`/api/v1/instances/?${query}`, renter.key)).body
    const all = async (query: string) => {
      const found: { id: number; disk_space: number }[] = []
      let token: unknown = ''
      while (token !== null) {
        const body = await page(`${query}&limit=25${token ? `&after_token=${token}` : ''}`)
        expect((body.instances as unknown[]).length).toBeLessThanOrEqual(25)
        found.push(...(body.instances as typeof found))
        token = body.next_token
      }
      return found
    }
    const descending = await all(`order_by=${json([{ col: 'disk_space', dir: 'desc' }])}`)
    expect(new Set(descending.map(({ id }) => id)).size).toBe(60)
    const expected = [...descending].sort((a, b) => b.disk_space - a.disk_space || b.id - a.id)
    expect(descending).toEqual(expected)
    const ascending = await all(`order_by=${json([{ col: 'start_date', dir: 'asc' }])}`)
    expect(ascending).toHaveLength(60)
    const filters = {
      actual_status: { in: ['running', 'loading'] },
      label: { eq: null },
      gpu_name: { eq: 'RTX 4090' },
      verification: { neq: 'verified' },
    }
    const filtered = await page(`select_filters=${json(filters)}&limit=1000&select_cols=${json(['*'])}`)
    expect(filtered).toMatchObject({ total_instances: 30, label_counts: {} })
    expect(filtered.instances).toHaveLength(25)
    expect(filtered.instances).toMatchObject(
      Array(25).fill({ start_date: expect.any(Number), extra_env: [], gpu_name: 'RTX 4090', ssh_host: null }),
    )
    expect((await get('/api/v0/instances/filters/', renter.key)).body.filters).toEqual([
      { actual_status: 'exited', verification: 'unverified', gpu_name: 'RTX 4090' },
      { actual_status: 'running', verification: 'unverified', gpu_name: 'RTX 4090' },
    ])
    expect((await get('/api/v1/instances/', world.keys.stranger)).body).toMatchObject({
      instances: [],
      total_instances: 0,
      next_token: null,
    })
  })
})

it('every route is served with and without a slash at the end, and ignores what rides along', async () => {
  for (const path of ['/api/v0/machines', '/api/v0/volumes', '/api/v1/instances', '/api/v0/template'])
    for (const form of [path, `${path}/`, `${path}/?owner=me&client_id=me`])
      expect([form, (await get(form, world.keys.renter)).status]).toEqual([form, 200])
})

describe('calls of the market without a key', () => {
  const open = async (path: string) => (await server.app.inject(path)).json()

  it('list the GPU names of the history with their sizes of memory, and nothing else of it', async () => {
    const { names } = (await server.get('/api/v0/metrics/gpu/names', server.adminKey)).body as {
      names: { name: string; memory: number[] }[]
    }
    for (const path of ['/api/v0/gpu_names/unique/', '/api/v0/gpu_names/unique'])
      expect(await open(path)).toEqual({
        success: true,
        gpu_names: names.map(({ name }) => name),
        gpu_memory: Object.fromEntries(names.map(({ name, memory }) => [name, memory])),
      })
  })

  it('list GPU types with one size of memory, or without it where there are several', async () => {
    const { gpu_types } = (await open('/api/v0/gpu_types/')) as { gpu_types: Body[] }
    expect(gpu_types).toContainEqual({
      canonical_name: 'RTX 4090',
      vendor: 'NVIDIA',
      gpu_ram_mb: 24_576,
      gpu_ram_gb: [24],
    })
    expect(gpu_types).toContainEqual(
      expect.objectContaining({ canonical_name: 'RTX 4060 Ti', gpu_ram_mb: null, gpu_ram_gb: [8, 16] }),
    )
  })
})
