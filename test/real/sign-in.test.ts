import { tmpdir } from 'node:os'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { allPermissions } from '../../contract/permissions.ts'
import { createKey } from '../../platform/security/api-keys.ts'
import { createKeyFor } from '../../src/companion/keys/key-for-role.ts'
import { openCarriers } from '../../src/companion/outbox/carriers.ts'
import { deliver } from '../../src/companion/outbox/deliver.ts'
import { startServer, type TestServer } from '../server.ts'
import { startSmtp } from '../smtp.ts'
import { atOnce } from '../world.ts'

let server: TestServer
let smtp: Awaited<ReturnType<typeof startSmtp>>
let carriers: ReturnType<typeof openCarriers>
beforeAll(async () => {
  server = await startServer()
  smtp = await startSmtp()
  carriers = openCarriers({ smtp: { url: smtp.url, from: 'rackrate@example.com' }, folder: tmpdir() })
})
afterAll(async () => {
  await smtp?.close()
  await server?.close()
})

interface Person {
  id: number
  email: string
}
let person: Person
let count = 0
/** Each test has a person and a client address of its own. */
beforeEach(async () => {
  await server.clock.hold()
  count += 1
  person = await newPerson(`Person${count}@example.com`)
  smtp.mails.length = 0
})

async function newPerson(email: string, kind = 'person', verified = true): Promise<Person> {
  const { rows } = await server.postgres.query<{ id: number }>(
    'INSERT INTO accounts (kind, name, email, email_verified) VALUES ($1, $2, $2, $3) RETURNING id',
    [kind, email, verified],
  )
  return { id: rows[0]?.id ?? 0, email }
}

type Body = Record<string, unknown>
const path = '/api/v0/auth/sign-in'
async function post(url: string, payload: object, remoteAddress = `10.0.0.${count}`) {
  const answer = await server.app.inject({ method: 'POST', url, payload, remoteAddress })
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() as Body }
}
const ask = (email: unknown, from?: string) => post(`${path}/mail`, { email }, from)
const look = (code: string) => post(`${path}/look`, { code })
const use = (code: string, proof: object = {}) => post(path, { code, ...proof })
const linkIn = (raw = '') => /^http:\S+\/#sign-in\/(\S+)$/m.exec(raw)?.[1] ?? ''
/** The code of the newest mail. */
const mailed = async () => {
  await deliver(server.postgres, server.vault, carriers)
  return linkIn(smtp.mails.at(-1)?.raw.replaceAll('\r', ''))
}
const codeFor = async ({ email }: Person) => {
  expect(await ask(email)).toMatchObject({ status: 200 })
  return mailed()
}
const refused = { status: 400, body: { success: false, error: 'invalid_link' } }

it('a mailed link makes a key with all permissions for 30 days, which is in the list', async () => {
  const code = await codeFor(person)
  expect(smtp.mails.map(({ to }) => to)).toEqual([[person.email]])
  expect(code).toMatch(/^\d+-[0-9a-f]{32}$/)
  expect(await look(code)).toMatchObject({
    status: 200,
    body: { username: person.email, email: person.email, needs_second_factor: false, totp_methods: [] },
  })
  const { status, body } = await use(code)
  const expires_at = server.clock.now() + 30 * 86_400
  expect([status, body]).toEqual([
    200,
    {
      success: true,
      id: expect.any(Number),
      key: expect.any(String),
      expires_at: expect.closeTo(expires_at, 1),
    },
  ])
  const list = await server.get('/api/v0/auth/apikeys', body.key as string)
  const day = new Date(server.clock.now() * 1000).toISOString().slice(0, 10)
  expect((list.body as { apikeys: Body[] }).apikeys).toEqual([
    expect.objectContaining({
      id: body.id,
      name: `Browser, signed in by mail on ${day}`,
      permissions: allPermissions,
      expires_at: body.expires_at,
    }),
  ])
  expect(await server.send('DELETE', `/api/v0/auth/apikeys/${body.id}`, body.key as string)).toMatchObject({
    status: 200,
  })
})

it('an address is found in any case of its letters, and mail goes to the stored one', async () => {
  await ask(person.email.toUpperCase())
  expect(await mailed()).not.toBe('')
  expect(smtp.mails[0]?.to).toEqual([person.email])
})

describe('a code', () => {
  it('is accepted once, however many use it at once', async () => {
    const code = await codeFor(person)
    const statuses = (await atOnce(10, () => use(code))).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, ...Array(9).fill(400)])
    expect(await use(code)).toMatchObject(refused)
    expect(await look(code)).toMatchObject(refused)
  })

  it('is valid for 15 minutes', async () => {
    const code = await codeFor(person)
    await server.clock.advance(899)
    expect(await look(code)).toMatchObject({ status: 200 })
    await server.clock.advance(2)
    expect(await look(code)).toMatchObject(refused)
    expect(await use(code)).toMatchObject(refused)
  })

  it('ends when a newer one is sent', async () => {
    const older = await codeFor(person)
    const newer = await codeFor(person)
    expect(await use(older)).toMatchObject(refused)
    expect(await use(newer)).toMatchObject({ status: 200 })
  })

  it('is of one account only', async () => {
    const code = await codeFor(person)
    const other = await newPerson(`other${count}@example.com`)
    await codeFor(other)
    expect(await use(code.replace(/^\d+/, String(other.id)))).toMatchObject(refused)
    expect(await use(code)).toMatchObject({ status: 200 })
  })

  it.each([
    ['has changed its address', `UPDATE accounts SET email = 'new@example.com' WHERE id = $1`],
    [
      'has an address that does not count as verified any more',
      'UPDATE accounts SET email_verified = false WHERE id = $1',
    ],
    ['was deleted', 'DELETE FROM accounts WHERE id = $1'],
  ])('ends when its account %s', async (_what, sql) => {
    const code = await codeFor(person)
    await server.postgres.query(sql, [person.id])
    expect(await use(code)).toMatchObject(refused)
  })

  it('is not used up by programs that open the link', async () => {
    const code = await codeFor(person)
    for (const method of ['GET', 'HEAD'] as const) {
      expect((await server.app.inject({ method, url: `/#sign-in/${code}` })).statusCode).toBe(200)
      expect((await server.app.inject({ method, url: `${path}?code=${code}` })).statusCode).toBe(200)
      expect((await server.app.inject({ method, url: `${path}/mail` })).statusCode).not.toBe(200)
    }
    expect(await look(code)).toMatchObject({ status: 200 })
    expect(await use(code)).toMatchObject({ status: 200 })
  })

  it('is refused whatever it looks like', async () => {
    const ids = [String(person.id), '0', '2147483648', '9999999999', '']
    const tokens = ['0'.repeat(32), '', 'x'.repeat(32), "' OR 1=1 --", '\u{1f511}', '0'.repeat(33)]
    for (const id of ids)
      for (const token of tokens) expect((await use(`${id}-${token}`)).status, `${id}-${token}`).toBe(400)
    for (const code of [null, 1, {}, [], 'x'.repeat(101), 'a\u0000b'])
      expect((await post(path, { code })).status).toBe(400)
  })

  it('is in no log and, except its hash, not in the database', async () => {
    const logged: string[] = []
    server.app.log.level = 'trace'
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => logged.push(String(text)) > 0)
    let code = ''
    try {
      await ask(person.email)
      const { rows } = await server.postgres.query(
        `SELECT (SELECT jsonb_agg(o) FROM outbox o)::text || (SELECT jsonb_agg(c) FROM sign_in_codes c) AS kept`,
      )
      code = await mailed()
      const [id = '', token = ''] = code.split('-')
      expect(token).toHaveLength(32)
      expect(rows[0]?.kept).not.toContain(token)
      await look(code)
      await use(`${id}-${'0'.repeat(32)}`)
      await use(code)
    } finally {
      vi.restoreAllMocks()
      server.app.log.level = 'warn'
    }
    expect(logged.join('')).toContain(path)
    expect(logged.join('')).not.toContain(code.split('-')[1])
    expect(logged.join('').toLowerCase()).not.toContain(person.email.toLowerCase())
  })
})

describe('a short code', () => {
  const wrong = { status: 400, body: { success: false, error: 'invalid_code' } }
  const shortIn = (raw = '') => /^([A-Z0-9]{4}-[A-Z0-9]{4})$/m.exec(raw.replaceAll('\r', ''))?.[1] ?? ''
  /** The data of a browser that requested a link, with the code of its mail. */
  async function asked({ email }: Person) {
    const { status, body } = await ask(email)
    expect(status).toBe(200)
    const link = await mailed()
    return { request: body.request as string, code: shortIn(smtp.mails.at(-1)?.raw), link }
  }
  const lookShort = (payload: { request: string; code: string }) => post(`${path}/look`, payload)
  const useShort = ({ request, code }: { request: string; code: string }, proof: object = {}) =>
    post(path, { request, code, ...proof })

  it('signs the browser in that asked, however it is typed, and uses the link up', async () => {
    const { request, code, link } = await asked(person)
    for (const typed of [code, code.toLowerCase(), code.replace('-', ''), ` ${code.replace('-', ' ')} `])
      expect(await lookShort({ request, code: typed })).toMatchObject({
        status: 200,
        body: { email: person.email },
      })
    const statuses = (await atOnce(4, () => useShort({ request, code }))).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, 400, 400, 400])
    expect(await use(link)).toMatchObject(refused)
  })

  it('ends when the link is used', async () => {
    const mine = await asked(person)
    expect(await use(mine.link)).toMatchObject({ status: 200 })
    expect(await useShort(mine)).toMatchObject(wrong)
  })

  it('is worth nothing without the request that it was mailed for', async () => {
    const { request, code } = await asked(person)
    const other = await asked(await newPerson(`short${count}@example.com`))
    expect(await use(code)).toMatchObject(refused)
    for (const given of [other.request, '', '0'.repeat(32), `${request} `, "' OR 1=1 --"])
      expect(await useShort({ request: given, code }), given).toMatchObject(wrong)
    expect(await useShort({ request, code })).toMatchObject({ status: 200 })
  })

  it('may be wrong five times, however many are tried at once, and then is void; the link is not', async () => {
    const { request, code, link } = await asked(person)
    for (let n = 0; n < 4; n += 1)
      expect(await lookShort({ request, code: 'AAAA-AAAA' })).toMatchObject(wrong)
    expect(await lookShort({ request, code })).toMatchObject({ status: 200 })
    await atOnce(8, () => useShort({ request, code: 'AAAA-AAAA' }))
    expect(await lookShort({ request, code })).toMatchObject(wrong)
    expect(await useShort({ request, code })).toMatchObject(wrong)
    expect(await use(link)).toMatchObject({ status: 200 })
  })

  it('is valid for 15 minutes, and until a newer one is sent', async () => {
    const older = await asked(person)
    const newer = await asked(person)
    expect(await lookShort(older)).toMatchObject(wrong)
    await server.clock.advance(899)
    expect(await lookShort(newer)).toMatchObject({ status: 200 })
    await server.clock.advance(2)
    expect(await lookShort(newer)).toMatchObject(wrong)
  })

  it('ends when its account has changed its address', async () => {
    const mine = await asked(person)
    await server.postgres.query(`UPDATE accounts SET email = 'newer@example.com' WHERE id = $1`, [person.id])
    expect(await useShort(mine)).toMatchObject(wrong)
  })

  it('is refused and counted alike for an unknown address', async () => {
    const { body: unknown } = await ask(`nobody${count}@example.com`)
    const { body: known } = await ask(person.email)
    expect(Object.keys(unknown)).toEqual(Object.keys(known))
    expect(String(unknown.request)).toHaveLength(String(known.request).length)
    const guess = (request: unknown) => lookShort({ request: String(request), code: 'AAAA-AAAA' })
    for (let n = 0; n < 7; n += 1) {
      const [one, other] = [await guess(unknown.request), await guess(known.request)]
      expect([one.status, one.body]).toEqual([other.status, other.body])
    }
    const { rows } = await server.postgres.query(
      'SELECT guesses FROM sign_in_short_codes WHERE account_id = $1 OR account_id IS NULL ORDER BY expires_at DESC LIMIT 2',
      [person.id],
    )
    expect(rows).toEqual([{ guesses: 5 }, { guesses: 5 }])
  })

  it('is in no log and, except its hash, not in the database', async () => {
    const logged: string[] = []
    server.app.log.level = 'trace'
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => logged.push(String(text)) > 0)
    const { request, code } = await asked(person)
    try {
      await lookShort({ request, code: 'AAAA-AAAA' })
      const { rows } = await server.postgres.query(
        `SELECT (SELECT jsonb_agg(o) FROM outbox o)::text || (SELECT jsonb_agg(c) FROM sign_in_short_codes c) AS kept`,
      )
      for (const secret of [request, code, code.replace('-', '')]) expect(rows[0]?.kept).not.toContain(secret)
      expect(await useShort({ request, code })).toMatchObject({ status: 200 })
    } finally {
      vi.restoreAllMocks()
      server.app.log.level = 'warn'
    }
    expect(logged.join('')).toContain(path)
    for (const secret of [request, code]) expect(logged.join('')).not.toContain(secret)
  })

  it('needs the second factor where the account has one', async () => {
    const mine = await asked(person)
    await server.postgres.query(
      `INSERT INTO tfa_methods (account_id, kind, label, phone, confirmed_at) VALUES ($1, 'sms', '', '+15551234567', rackrate_now())`,
      [person.id],
    )
    expect(await lookShort(mine)).toMatchObject({ body: { needs_second_factor: true } })
    expect(await useShort(mine)).toMatchObject({ status: 403, body: { error: 'second_factor_required' } })
  })
})

describe('a request for a link', () => {
  it('is answered alike for an unknown address, and no mail is sent', async () => {
    const unverified = await newPerson(`unverified${count}@example.com`, 'person', false)
    const team = await newPerson(`team${count}@example.com`, 'team')
    const known = await ask(person.email)
    await deliver(server.postgres, server.vault, carriers)
    const sent = smtp.mails.length
    for (const email of [`nobody${count}@example.com`, unverified.email, team.email]) {
      const { status, headers, body } = await ask(email)
      expect([status, body]).toEqual([
        known.status,
        { ...known.body, request: expect.stringMatching(/^[0-9a-f]{32}$/) },
      ])
      expect(Object.keys(headers)).toEqual(Object.keys(known.headers))
      await deliver(server.postgres, server.vault, carriers)
    }
    expect(smtp.mails).toHaveLength(sent)
  })

  it('is limited for each address, known or not, in the same way', async () => {
    for (const email of [person.email, `nobody${count}@example.com`]) {
      const answers = await atOnce(8, () => ask(email, `10.1.0.${count}`))
      const statuses = answers.map(({ status }) => status)
      expect(statuses.sort()).toEqual([...Array(5).fill(200), ...Array(3).fill(429)])
      const { body, headers } = answers.find(({ status }) => status === 429) ?? expect.fail()
      expect(body).toMatchObject({ success: false, error: 'too_many_requests' })
      expect(Number(headers['retry-after'])).toBeGreaterThan(3500)
    }
    await server.clock.advance(3601)
    expect((await ask(person.email, '10.2.0.1')).status).toBe(200)
  })

  it('keeps the earlier link valid when it is refused', async () => {
    for (let n = 0; n < 4; n += 1) await ask(person.email)
    const code = await codeFor(person)
    expect((await ask(person.email)).status).toBe(429)
    expect(await use(code)).toMatchObject({ status: 200 })
  })

  it('is limited for each client address, which invalid ones do not count for', async () => {
    const from = `10.3.0.${count}`
    for (let n = 0; n < 25; n += 1) expect((await ask('no address', from)).status).toBe(400)
    const statuses = []
    for (let n = 0; n < 21; n += 1) statuses.push((await ask(`n${n}.${count}@example.com`, from)).status)
    expect(statuses).toEqual([...Array(20).fill(200), 429])
    const { headers, body } = await ask(person.email, from)
    expect(body).toMatchObject({ error: 'too_many_requests' })
    expect(Number(headers['retry-after'])).toBeGreaterThan(3000)
    expect((await ask(person.email)).status).toBe(200)
  })

  it.each([
    'victim@example.com\r\nBcc: other@example.com',
    'victim@example.com,other@example.com',
    '"a b"@example.com',
    'Victim <victim@example.com>',
    'víctim@example.com',
    'victim@exámple.com',
    'victim@example.com\u0000',
    '\ud800@example.com',
    `${'a'.repeat(250)}@example.com`,
    '',
    null,
    1,
    ['victim@example.com'],
  ])('refuses the address %j', async (email) => {
    const { status, body } = await ask(email)
    expect([status, body.error]).toEqual([400, 'invalid_args'])
  })

  it('names the address of the service in the link, regardless of the request', async () => {
    const headers = { host: 'evil.example.com', 'x-forwarded-host': 'evil.example.com' }
    await server.app.inject({
      method: 'POST',
      url: `${path}/mail`,
      payload: { email: person.email },
      headers,
    })
    await mailed()
    expect(smtp.mails[0]?.raw).toMatch(/^http:\/\/localhost\/#sign-in\//m)
    expect(smtp.mails[0]?.raw).not.toContain('evil')
  })
})

describe('an account with a second factor', () => {
  let totp: TOTP
  let method = 0
  let backup: string[] = []
  const now = () => totp.generate({ timestamp: server.clock.now() * 1000 })
  /** Sets an app up with a key, as its holder does. */
  async function addApp(proof: object = {}) {
    const { key } = await createKey(server.postgres, { accountId: person.id })
    const setup = await server.send('POST', '/api/v0/tfa/totp-setup', key, { label: 'Phone', ...proof })
    const { secret, tfa_method_id } = setup.body as { secret: string; tfa_method_id: number }
    totp = new TOTP({ secret: Secret.fromBase32(secret) })
    const confirmed = await server.send('POST', '/api/v0/tfa/test-submit', key, { code: now() })
    method = tfa_method_id
    backup = (confirmed.body as { backup_codes?: string[] }).backup_codes ?? backup
    await server.postgres.query('UPDATE tfa_methods SET last_step = NULL')
  }
  const needed = {
    status: 403,
    body: { error: 'second_factor_required', msg: expect.stringContaining('API key') },
  }

  it('is not signed in by the link alone, and is with a code of the app', async () => {
    await addApp()
    const code = await codeFor(person)
    expect(await look(code)).toMatchObject({
      body: { needs_second_factor: true, totp_methods: [{ id: method, label: 'Phone' }] },
    })
    expect(await use(code)).toMatchObject(needed)
    expect(await use(code, { totp: '', backup_code: '' })).toMatchObject(needed)
    expect(await use(code, { totp: now() })).toMatchObject({ status: 200 })
    const again = await codeFor(person)
    expect(await use(again, { totp: now() }), 'the same code of the app').toMatchObject({ status: 400 })
  })

  it('is signed in with a backup code, once', async () => {
    await addApp()
    const code = await codeFor(person)
    expect(await use(code, { backup_code: 'AAAA-AAAA-AAAA' })).toMatchObject({ status: 401 })
    expect(await use(code, { backup_code: backup[0] })).toMatchObject({ status: 200 })
    expect(await use(await codeFor(person), { backup_code: backup[0] })).toMatchObject({ status: 401 })
  })

  it('locks the app after five wrong codes, and keeps the link valid', async () => {
    await addApp()
    const code = await codeFor(person)
    const wrong = now() === '000000' ? '000001' : '000000'
    for (let n = 1; n <= 5; n += 1)
      expect(await use(code, { totp: wrong })).toMatchObject({ status: 400, body: { fail_count: n } })
    expect(await use(code, { totp: now() })).toMatchObject({ status: 429, body: { error: 'tfa_locked' } })
    expect(await use(code, { backup_code: backup[0] })).toMatchObject({ status: 200 })
  })

  it('names the app when there are several', async () => {
    await addApp()
    await addApp({ backup_code: backup[0] })
    const code = await codeFor(person)
    expect(await use(code, { totp: now() })).toMatchObject({
      status: 400,
      body: { error: 'invalid_tfa_method' },
    })
    expect(await use(code, { totp: now(), tfa_method_id: method })).toMatchObject({ status: 200 })
  })

  it('does not take a code by e-mail for it, which goes to where the link went', async () => {
    await addApp()
    const { key } = await createKey(server.postgres, { accountId: person.id })
    const { body } = await server.send('POST', '/api/v0/tfa/email', key)
    await deliver(server.postgres, server.vault, carriers)
    const six = /^(\d{6}) is your/m.exec(smtp.mails.at(-1)?.raw ?? '')?.[1]
    const code = await codeFor(person)
    const { secret } = body as { secret: string }
    const proof = { totp: six, code: six, secret, tfa_method: 'email' }
    expect(await post(path, { ...proof, code })).toMatchObject({
      status: 400,
      body: { error: '2fa_verification_failed' },
    })
  })

  it('is signed in with a backup code if its only method is a phone', async () => {
    await addApp()
    await server.postgres.query(
      `UPDATE tfa_methods SET kind = 'sms', secret_sealed = NULL, phone = '+15551234567' WHERE id = $1`,
      [method],
    )
    const code = await codeFor(person)
    expect(await look(code)).toMatchObject({ body: { needs_second_factor: true, totp_methods: [] } })
    expect(await use(code, { totp: '123456', tfa_method_id: method })).toMatchObject({ status: 400 })
    expect(await use(code, { backup_code: backup[0] })).toMatchObject({ status: 200 })
  })
})

describe('signing out', () => {
  const signOut = async (key: string) => server.send('DELETE', path, key)
  const works = async (key: string) => (await server.get('/api/v0/users/current', key)).status === 200

  it('ends a key that came by mail, at once', async () => {
    const key = (await use(await codeFor(person))).body.key as string
    expect(await works(key)).toBe(true)
    expect(await signOut(key)).toMatchObject({ status: 200, body: { ended: true } })
    expect(await works(key)).toBe(false)
    expect((await signOut(key)).status).toBe(401)
  })

  it('does not end another key', async () => {
    const { key } = await createKey(server.postgres, { accountId: person.id })
    expect(await signOut(key)).toMatchObject({ status: 200, body: { ended: false } })
    expect(await works(key)).toBe(true)
  })

  it('leaves the alert rules in force that were made in the browser; revoking the key stops them', async () => {
    await server.postgres.query('UPDATE accounts SET is_admin = true WHERE id = $1', [person.id])
    const { id, key } = (await use(await codeFor(person))).body as { id: number; key: string }
    const rule = { name: 'old data', condition: { kind: 'data_age', minutes: 30 } }
    expect((await server.send('POST', '/api/v0/alerts', key, rule)).status).toBe(200)
    await signOut(key)
    const { key: other } = await createKey(server.postgres, { accountId: person.id })
    const reason = async () => {
      const { body } = await server.get('/api/v0/alerts', other)
      return (body as { rules: { stop_reason: string | null }[] }).rules.map(({ stop_reason }) => stop_reason)
    }
    expect(await reason()).toEqual([null])
    expect((await server.send('DELETE', `/api/v0/auth/apikeys/${id}`, other)).status).toBe(200)
    expect(await reason()).toEqual(['The API key that wrote it has ended'])
  })
})

it('a person with 100 keys is refused with advice, and the link stays valid', async () => {
  for (let n = 0; n < 100; n += 1) await createKey(server.postgres, { accountId: person.id })
  const code = await codeFor(person)
  expect(await use(code)).toMatchObject({ status: 400, body: { error: 'invalid_args' } })
  await server.postgres.query(
    'UPDATE api_keys SET revoked_at = rackrate_now() WHERE id = (SELECT min(id) FROM api_keys WHERE account_id = $1)',
    [person.id],
  )
  expect(await use(code)).toMatchObject({ status: 200 })
})

it('an account made on the command line can sign in with its address', async () => {
  const email = `operator${count}@example.com`
  await createKeyFor(server.postgres, { role: 'host', email })
  expect(await use(await codeFor({ id: 0, email }))).toMatchObject({ status: 200 })
})

it('a service that sends no mail offers no link', async () => {
  const without = await startServer({ signInByMail: false })
  try {
    expect((await without.app.inject({ url: path })).json()).toEqual({ success: true, by_mail: false })
    const payload = { email: 'somebody@example.com' }
    const answer = await without.app.inject({ method: 'POST', url: `${path}/mail`, payload })
    expect([answer.statusCode, answer.json()]).toEqual([
      501,
      { success: false, error: 'not_configured', msg: expect.stringContaining('API key') },
    ])
  } finally {
    await without.close()
  }
})
