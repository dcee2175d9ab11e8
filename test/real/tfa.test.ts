import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createKey } from '../../platform/security/api-keys.ts'
import { openCarriers } from '../../src/companion/outbox/carriers.ts'
import { deliver } from '../../src/companion/outbox/deliver.ts'
import { startServer, type TestServer } from '../server.ts'
import { startSmtp } from '../smtp.ts'
import { atOnce, openWorld, type World } from '../world.ts'

let server: TestServer
let world: World
let smtp: Awaited<ReturnType<typeof startSmtp>>
let carriers: ReturnType<typeof openCarriers>
const texts: { id: string; to: string; text: string; authorization: string | undefined }[] = []
const smsProvider = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk) => {
    body += chunk
  })
  request.on('end', () => {
    texts.push({ ...JSON.parse(body), authorization: request.headers.authorization })
    response.end()
  })
})

beforeAll(async () => {
  server = await startServer({ parallelRequests: 32 })
  world = await openWorld(server)
  smtp = await startSmtp()
  await new Promise<void>((resolve) => smsProvider.listen(0, '127.0.0.1', resolve))
  const smsUrl = `http://127.0.0.1:${(smsProvider.address() as AddressInfo).port}/send`
  carriers = openCarriers({
    smtp: { url: smtp.url, from: 'rackrate@example.com' },
    sms: { url: smsUrl, token: 'provider-token' },
    folder: tmpdir(),
  })
})
afterAll(async () => {
  smsProvider.close()
  await smtp?.close()
  await server?.close()
})

let person: { id: number; key: string; email: string }
let count = 0
beforeEach(async () => {
  await server.clock.hold() // what is good for some seconds is good however long a test takes
  count += 1
  const email = `person${count}@example.com`
  const { rows } = await server.postgres.query<{ id: number }>(
    `INSERT INTO accounts (name, email, email_verified) VALUES ('Person', $1, true) RETURNING id`,
    [email],
  )
  const id = rows[0]?.id ?? 0
  person = { id, email, key: (await createKey(server.postgres, { accountId: id })).key }
  smtp.mails.length = 0
  texts.length = 0
})

type Body = Record<string, unknown>
const ask = (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown, key = person.key) =>
  server.send(method, `/api/v0/tfa${path}`, key, body)
const sendMail = async (body?: unknown) =>
  (await ask('POST', '/email/', body)) as unknown as { status: number; body: Body }
const regenerate = (body: unknown, key = person.key) => ask('PUT', '/regen-backup-codes/', body, key)
const mailed = async () => {
  await deliver(server.postgres, server.vault, carriers)
  return /^(\d{6}) is your/m.exec(smtp.mails.at(-1)?.raw ?? '')?.[1] ?? ''
}
const texted = async () => {
  await deliver(server.postgres, server.vault, carriers)
  return texts.at(-1)?.text.slice(0, 6) ?? ''
}
/** The code of an app, some steps of 30 seconds from now. */
const codeOf = (totp: TOTP, steps = 0) =>
  totp.generate({ timestamp: (server.clock.now() + steps * 30) * 1000 })
const wrong = (code: string) => (code === '000000' ? '000001' : '000000')
const codesOf = ({ body }: { body: unknown }) => (body as { backup_codes: string[] }).backup_codes
const challenge = async () => {
  const secret = (await sendMail()).body.secret as string
  return { secret, code: await mailed() }
}
const enrolTotp = async (proof: object = {}) => {
  const setup = (await ask('POST', '/totp-setup/', proof)).body as { secret: string; tfa_method_id: number }
  const totp = new TOTP({ secret: Secret.fromBase32(setup.secret) })
  const confirmed = await ask('POST', '/test-submit/', {
    tfa_method: 'totp',
    code: codeOf(totp),
    secret: setup.secret,
  })
  await server.postgres.query('UPDATE tfa_methods SET last_step = NULL WHERE id = $1', [setup.tfa_method_id])
  return { ...setup, totp, confirmed }
}
const enrolSms = async (phone_number: string, proof: object = {}) => {
  const { secret, tfa_method_id } = (await ask('POST', '/test/', { ...proof, phone_number })).body as Body
  const confirmed = await ask('POST', '/test-submit/', { tfa_method: 'sms', code: await texted(), secret })
  return { tfa_method_id, confirmed }
}

describe('POST tfa/email', () => {
  it('sends six digits to the verified address, which with the secret make new backup codes', async () => {
    const sent = await sendMail()
    expect(sent).toMatchObject({
      status: 200,
      body: {
        success: true,
        msg: '2FA code sent to your email address.',
        secret: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    })
    const code = await mailed()
    expect(smtp.mails).toHaveLength(1)
    expect(smtp.mails[0]?.to).toEqual([person.email])
    expect(code).toMatch(/^\d{6}$/)
    const answer = await regenerate({ code, secret: sent.body.secret, tfa_method: 'email' })
    expect(answer).toMatchObject({ status: 200, body: { msg: 'success' } })
    expect(codesOf(answer)).toHaveLength(10)
    expect(new Set(codesOf(answer)).size).toBe(10)
    for (const one of codesOf(answer)) expect(one).toMatch(/^[A-Z2-9]{4}-[A-Z2-9]{4}-[A-Z2-9]{4}$/)
  })

  it('makes a new challenge each time, but not within the resend interval', async () => {
    const first = await challenge()
    expect(await sendMail()).toMatchObject({
      status: 400,
      body: { success: false, error: 'tfa_challenge_exists' },
    })
    expect(await sendMail({ secret: null })).toMatchObject({ status: 400 })
    await server.clock.advance(31)
    const second = await challenge()
    expect(second.secret).not.toBe(first.secret)
    expect(await regenerate({ tfa_method: 'email', ...first })).toMatchObject({ status: 200 })
    expect(await regenerate({ tfa_method: 'email', ...second })).toMatchObject({ status: 200 })
  })

  it('gives the challenge of a secret a new code, and the old one becomes invalid', async () => {
    const { secret, code: old } = await challenge()
    expect(await sendMail({ secret })).toMatchObject({ status: 200, body: { secret } })
    const fresh = await mailed()
    if (fresh !== old)
      expect(await regenerate({ secret, code: old })).toMatchObject({
        status: 400,
        body: { error: '2fa_verification_failed' },
      })
    expect(await regenerate({ secret, code: fresh })).toMatchObject({ status: 200 })
    expect(await sendMail({ secret })).toMatchObject({ status: 400, body: { error: 'challenge_not_found' } })
  })

  it('five codes for a challenge, no more, and none for one that has expired', async () => {
    const { secret } = await challenge()
    for (let n = 2; n <= 5; n += 1) expect((await sendMail({ secret })).status).toBe(200)
    expect(await sendMail({ secret })).toMatchObject({ status: 400, body: { error: 'tfa_challenge_exists' } })
    await server.clock.advance(601)
    expect(await sendMail({ secret })).toMatchObject({ status: 400, body: { error: '2fa_expired' } })
  })

  it("needs an address, a verified one; a team and a stranger's secret get nowhere", async () => {
    const { secret } = await challenge()
    expect(await ask('POST', '/email', { secret }, world.keys.stranger)).toMatchObject({
      status: 400,
      body: { error: 'challenge_not_found' },
    })
    expect(await ask('POST', '/email', undefined, world.keys.team)).toMatchObject({
      status: 400,
      body: { error: 'missing_email' },
    })
    await server.postgres.query('UPDATE accounts SET email_verified = false WHERE id = $1', [person.id])
    expect(await sendMail()).toMatchObject({ status: 400, body: { error: 'email_not_verified' } })
    await server.postgres.query('UPDATE accounts SET email = NULL WHERE id = $1', [person.id])
    expect(await sendMail()).toMatchObject({ status: 400, body: { error: 'missing_email' } })
  })

  it('sends one code for twenty concurrent requests', async () => {
    const answers = await atOnce(20, () => sendMail())
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.error === 'tfa_challenge_exists')).toHaveLength(19)
    await mailed()
    expect(smtp.mails).toHaveLength(1)
  })

  it('an address that means to be more than one is one, or none', async () => {
    // The database refuses white space. The remaining text of the attack must not be sent to another recipient.
    await server.postgres.query('UPDATE accounts SET email = $2 WHERE id = $1', [
      person.id,
      `a,victim@example.com`,
    ])
    await sendMail()
    await mailed()
    expect(smtp.mails.flatMap(({ to }) => to)).not.toContain('victim@example.com')
    await expect(
      server.postgres.query('UPDATE accounts SET email = $2 WHERE id = $1', [
        person.id,
        'a@example.com\r\nBcc: victim@example.com',
      ]),
    ).rejects.toThrow(/accounts_email/)
  })
})

describe('PUT tfa/regen-backup-codes', () => {
  it.each([
    [
      'full-width digits',
      (code: string) => code.replaceAll(/\d/g, (digit) => '０１２３４５６７８９'[Number(digit)] ?? ''),
    ],
    [
      'bold mathematical digits',
      (code: string) => code.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x1d7ce + Number(digit))),
    ],
    [
      'subscript digits',
      (code: string) => code.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x2080 + Number(digit))),
    ],
    ['a space in the middle', (code: string) => `${code.slice(0, 3)} ${code.slice(3)}`],
    ['an ideographic space in the middle', (code: string) => `${code.slice(0, 3)}\u3000${code.slice(3)}`],
    ['a dash in the middle', (code: string) => `${code.slice(0, 3)}–${code.slice(3)}`],
    ['a mark of direction before it', (code: string) => `\u200e${code}`],
  ])('a code is read with %s', async (_form, write) => {
    const { totp } = await enrolTotp()
    expect(await regenerate({ code: write(codeOf(totp, 1)), tfa_method: 'totp' })).toMatchObject({
      status: 200,
    })
  })

  it.each([
    'é23456',
    '😀3456',
    '😀😀😀',
    '٠١٢٣٤٥',
    '०१२३४५',
    '1234５',
    '１２３４５６７',
    'ⅧⅧⅧ',
    '12345e\u0301',
    'x123456',
    '½½',
  ])('a code is wrong, and nothing fails, when it is %s', async (code) => {
    await enrolTotp()
    for (const form of [{ code, tfa_method: 'totp' }, { code }])
      expect(await regenerate(form)).toMatchObject({
        status: 400,
        body: { error: '2fa_verification_failed' },
      })
  })

  it('accepts TOTP with one step of drift, and no step twice', async () => {
    const { totp, tfa_method_id, confirmed } = await enrolTotp()
    expect(codesOf(confirmed)).toHaveLength(10)
    const at = (steps: number) => codeOf(totp, steps)
    expect(await regenerate({ code: at(-3) })).toMatchObject({
      status: 400,
      body: { error: '2fa_verification_failed', fail_count: 1 },
    })
    expect(await regenerate({ code: at(0), tfa_method_id: `${tfa_method_id}` })).toMatchObject({
      status: 200,
    })
    expect(await regenerate({ code: at(0) })).toMatchObject({
      status: 400,
      body: { error: '2fa_verification_failed' },
    })
    expect(await regenerate({ code: at(-1) })).toMatchObject({ status: 400 })
    expect(await regenerate({ code: at(1), tfa_method: 'totp' })).toMatchObject({ status: 200 })
  })

  it('accepts a code by SMS', async () => {
    const { tfa_method_id } = await enrolSms('+15550001111')
    expect(texts[0]).toMatchObject({ to: '+15550001111', authorization: 'Bearer provider-token' })
    await server.clock.advance(31)
    const { secret } = (await ask('POST', '/test')).body as Body
    const old = await texted()
    expect(await ask('POST', '/resend', { secret })).toMatchObject({ status: 200 })
    const code = await texted()
    expect(await regenerate({ code: wrong(code), secret, tfa_method: 'sms' })).toMatchObject({
      status: 400,
      body: { fail_count: 1 },
    })
    if (old !== code) expect((await regenerate({ code: old, secret, tfa_method: 'sms' })).status).toBe(400)
    expect(await regenerate({ code, secret, tfa_method: 'sms', tfa_method_id })).toMatchObject({
      status: 200,
    })
  })

  it('accepts a backup code, in any case, with or without dashes; all old ones become invalid', async () => {
    const first = codesOf(await regenerate(await challenge()))
    const second = codesOf(await regenerate({ backup_code: first[3]?.toLowerCase().replaceAll('-', '') }))
    expect(second).toHaveLength(10)
    for (const old of first.slice(0, 3))
      expect(await regenerate({ backup_code: old })).toMatchObject({
        status: 401,
        body: { error: 'invalid_backup_code', fail_count: expect.any(Number) },
      })
    expect((await regenerate({ backup_code: second[0], code: '', tfa_method: null })).status).toBe(200)
  })

  it('codes are stored as hashes only', async () => {
    const { secret, code } = await challenge()
    const codes = codesOf(await regenerate({ secret, code }))
    const dump = async (table: string) =>
      (
        await server.postgres.query<{ row: string }>(`SELECT row_to_json(t)::text AS row FROM ${table} t`)
      ).rows
        .map(({ row }) => row)
        .join()
    const all = `${await dump('tfa_challenges')}${await dump('backup_codes')}${await dump('outbox')}`
    for (const text of [secret, ...codes, ...codes.map((one) => one.replaceAll('-', ''))])
      expect(all).not.toContain(text)
    const { rows } = await server.postgres.query(
      'SELECT sealed FROM outbox WHERE sent_at IS NOT NULL AND sealed IS NOT NULL',
    )
    expect(rows).toEqual([])
  })

  it.each([
    [{}, 400, 'missing_auth_value'],
    [{ code: '', backup_code: null, secret: 'x' }, 400, 'missing_auth_value'],
    [{ code: '123456', tfa_method: 'pigeon' }, 400, 'invalid_tfa_method'],
    [{ code: '123456', tfa_method: 'totp' }, 400, 'invalid_tfa_method'],
    [{ code: '123456' }, 400, 'invalid_tfa_method'],
    [{ code: '123456', tfa_method_id: 999_999 }, 404, 'not_found'],
    [{ code: '123456', tfa_method_id: 'x' }, 400, 'invalid_args'],
    [{ code: '123456', tfa_method: 'email' }, 400, 'challenge_not_found'],
    [{ code: '123456', tfa_method: 'email', secret: 'f'.repeat(64) }, 400, 'challenge_not_found'],
    [{ code: '123456', secret: 'f'.repeat(64) }, 400, 'challenge_not_found'],
    [{ code: ['123456'] }, 400, 'invalid_args'],
    [{ code: '1'.repeat(5000) }, 400, 'invalid_args'],
    [{ backup_code: 'ABCD-EFGH-JKLM' }, 401, 'invalid_backup_code'],
    [{ backup_code: "' OR 1=1 --" }, 401, 'invalid_backup_code'],
  ])('refuses %j', async (body, status, error) => {
    expect(await regenerate(body)).toMatchObject({
      status,
      body: { success: false, error, msg: expect.any(String) },
    })
  })

  it('several methods of a type need an id; a method of another account is unknown', async () => {
    const first = await enrolTotp()
    const proof = { code: codeOf(first.totp, 1) }
    const second = await enrolTotp(proof)
    const code = codeOf(second.totp)
    expect(await regenerate({ code })).toMatchObject({ status: 400, body: { error: 'invalid_tfa_method' } })
    expect(await regenerate({ code, tfa_method: 'totp' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_tfa_method' },
    })
    expect(await regenerate({ code, tfa_method_id: second.tfa_method_id, tfa_method: 'sms' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_tfa_method' },
    })
    expect(
      await regenerate({ code, tfa_method_id: second.tfa_method_id }, world.keys.stranger),
    ).toMatchObject({ status: 404, body: { error: 'not_found' } })
    expect(await regenerate({ code, tfa_method_id: second.tfa_method_id })).toMatchObject({ status: 200 })
  })

  it("a team's key is refused", async () => {
    expect(await regenerate({ code: '123456' }, world.keys.team)).toMatchObject({
      status: 403,
      body: { error: 'team_user_forbidden' },
    })
  })
})

describe('under attack', () => {
  it('five wrong codes lock the method for 15 minutes, also for the right code; others go on', async () => {
    const { secret, code } = await challenge()
    const guess = { secret, code: wrong(code), tfa_method: 'email' }
    const answers = []
    for (let n = 0; n < 5; n += 1) answers.push(await regenerate(guess))
    expect(
      answers.map(({ status, body }) => [status, (body as Body).error, (body as Body).fail_count]),
    ).toEqual([1, 2, 3, 4, 5].map((n) => [400, '2fa_verification_failed', n]))
    const until = Number((answers.at(-1) ?? { body: {} as Body }).body.locked_until)
    expect(until - server.clock.now()).toBeCloseTo(900)
    for (let n = 0; n < 3; n += 1) {
      const locked = await regenerate({ ...guess, code })
      expect(locked).toMatchObject({
        status: 429,
        body: { success: false, error: 'tfa_locked', fail_count: 5, locked_until: until },
      })
      expect(locked.headers['retry-after']).toBe('900')
    }
    expect((await regenerate({ backup_code: 'ABCD-EFGH-JKLM' })).status).toBe(401)
    await server.postgres.query(
      "UPDATE tfa_challenges SET expires_at = rackrate_now() + interval '1 hour' WHERE account_id = $1",
      [person.id],
    )
    await server.clock.advance(899)
    expect(await regenerate(guess)).toMatchObject({ status: 429 })
    await server.clock.advance(2)
    expect(await regenerate(guess)).toMatchObject({ status: 400, body: { fail_count: 1 } })
    expect((await regenerate({ ...guess, code })).status).toBe(200)
  })

  it('guesses side by side count like guesses one by one', async () => {
    const { secret, code } = await challenge()
    const answers = await atOnce(30, () => regenerate({ secret, code: wrong(code), tfa_method: 'email' }))
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(25)
  })

  it('a code is good once, however many use it at once', async () => {
    const proof = { ...(await challenge()), tfa_method: 'email' }
    const answers = await atOnce(20, () => regenerate(proof))
    const won = answers.filter(({ status }) => status === 200)
    expect(won).toHaveLength(1)
    expect(answers.filter(({ body }) => (body as Body).error === 'challenge_not_found')).toHaveLength(19)
    expect((await regenerate({ backup_code: codesOf(won[0] as never)[9] })).status).toBe(200)
  })

  it('two regenerations by different proofs leave one set of codes', async () => {
    const codes = codesOf(await regenerate(await challenge()))
    await server.clock.advance(31)
    const mail = await challenge()
    const both = await Promise.all([regenerate({ backup_code: codes[0] }), regenerate(mail)])
    expect(both.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(1)
    const { rows } = await server.postgres.query('SELECT FROM backup_codes WHERE account_id = $1', [
      person.id,
    ])
    expect(rows).toHaveLength(10)
  })

  it("expired and foreign challenges, and another account's codes, are no good", async () => {
    const mail = await challenge()
    expect(await regenerate(mail, world.keys.stranger)).toMatchObject({
      status: 400,
      body: { error: 'challenge_not_found' },
    })
    const codes = codesOf(await regenerate(mail))
    expect(await regenerate({ backup_code: codes[0] }, world.keys.stranger)).toMatchObject({ status: 401 })
    await server.clock.advance(31)
    const second = await challenge()
    await server.clock.advance(601)
    expect(await regenerate(second)).toMatchObject({ status: 400, body: { error: '2fa_expired' } })
    expect(await regenerate({ ...second, tfa_method: 'email' })).toMatchObject({
      status: 400,
      body: { error: '2fa_expired' },
    })
  })

  it('an unknown challenge costs as much work as a wrong code', async () => {
    const hashed: string[] = []
    const { hashCode } = server.vault
    server.vault.hashCode = (code, salt) => {
      hashed.push(code)
      return hashCode(code, salt)
    }
    const { secret, code } = await challenge()
    hashed.length = 0
    await regenerate({ secret, code: wrong(code), tfa_method: 'email' })
    await regenerate({ secret: 'f'.repeat(64), code: wrong(code), tfa_method: 'email' })
    server.vault.hashCode = hashCode
    expect(hashed).toHaveLength(2)
  })
})

describe('enrolment', () => {
  it('a method is in force once confirmed, and a further one needs a proof', async () => {
    expect((await server.get('/api/v0/tfa/status', person.key)).body).toEqual({
      success: true,
      tfa_enabled: false,
      methods: [],
      backup_codes_remaining: 0,
      new_method_authorized: false,
    })
    const pending = (await ask('POST', '/totp-setup', { label: 'phone' })).body as {
      secret: string
      provisioning_uri: string
    }
    expect(pending.provisioning_uri).toContain(`secret=${pending.secret}`)
    const totp = new TOTP({ secret: Secret.fromBase32(pending.secret) })
    expect(await regenerate({ code: codeOf(totp) })).toMatchObject({
      status: 400,
      body: { error: 'invalid_tfa_method' },
    })
    expect(await ask('POST', '/test-submit', { code: wrong(codeOf(totp)) })).toMatchObject({
      status: 400,
      body: { fail_count: 1 },
    })
    const confirmed = await ask('POST', '/test-submit', { code: codeOf(totp) })
    expect(codesOf(confirmed)).toHaveLength(10)
    expect(await ask('POST', '/totp-setup')).toMatchObject({
      status: 400,
      body: { error: 'missing_auth_value' },
    })
    expect(await ask('POST', '/test', { phone_number: '+15550002222' })).toMatchObject({
      status: 400,
      body: { error: 'missing_auth_value' },
    })
    const [backup_code, another] = codesOf(confirmed)
    const { tfa_method_id, confirmed: sms } = await enrolSms('+15550002222', { backup_code })
    expect(sms.body).toEqual({ success: true, tfa_method_id })
    expect((await server.get('/api/v0/tfa/status', person.key)).body).toMatchObject({
      tfa_enabled: true,
      methods: [
        { tfa_method: 'totp', label: 'phone', phone_number: null },
        { tfa_method: 'sms', phone_number: '+*******2222' },
      ],
      backup_codes_remaining: 9,
    })
    expect(await ask('DELETE', '', { target_id: tfa_method_id, backup_code })).toMatchObject({ status: 401 })
    expect(await ask('DELETE', '', { target_id: 999_999, backup_code: another })).toMatchObject({
      status: 404,
    })
    expect(await ask('DELETE', '', { target_id: tfa_method_id, backup_code: another })).toMatchObject({
      status: 200,
      body: { remaining_methods: 1 },
    })
  })

  it('a method set up before another one was confirmed is never activated', async () => {
    const early = (await ask('POST', '/totp-setup')).body as { secret: string }
    const { secret } = (await ask('POST', '/test', { phone_number: '+15550004444' })).body as Body
    const smsCode = await texted()
    await enrolSms('+15550003333')
    const code = new TOTP({ secret: Secret.fromBase32(early.secret) }).generate()
    expect(await ask('POST', '/test-submit', { code })).toMatchObject({
      status: 400,
      body: { error: 'invalid_tfa_method' },
    })
    expect(await ask('POST', '/test-submit', { tfa_method: 'sms', code: smsCode, secret })).toMatchObject({
      status: 400,
      body: { error: 'challenge_not_found' },
    })
  })

  it('backup codes from before the first method die with it', async () => {
    const before = codesOf(await regenerate(await challenge()))
    const { confirmed } = await enrolTotp()
    expect(codesOf(confirmed)).toHaveLength(10)
    expect((await regenerate({ backup_code: before[0] })).status).toBe(401)
  })

  it('a method that is not confirmed in time has to be set up anew', async () => {
    const { secret } = (await ask('POST', '/totp-setup')).body as { secret: string }
    await server.postgres.query(
      `UPDATE tfa_methods SET created_at = created_at - interval '16 minutes' WHERE account_id = $1`,
      [person.id],
    )
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
    expect(await ask('POST', '/test-submit', { code })).toMatchObject({
      status: 400,
      body: { error: 'invalid_tfa_method' },
    })
  })

  it('one account with a hundred concurrent requests does not delay the others', async () => {
    const flood = atOnce(100, () => regenerate({ tfa_method: 'email', code: '1', secret: 'x' }))
    const others = await atOnce(5, () => server.get('/api/v0/ssh', world.keys.renter))
    expect(others.map(({ status }) => status)).toEqual(Array(5).fill(200))
    const answers = await flood
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400, 429]))
    expect(answers.find(({ status }) => status === 429)?.headers['retry-after']).toBe('1')
  })

  it('secrets are encrypted at rest', async () => {
    const { secret } = await enrolTotp()
    const { rows } = await server.postgres.query<{ secret_sealed: Buffer }>(
      'SELECT secret_sealed FROM tfa_methods WHERE account_id = $1',
      [person.id],
    )
    expect(rows[0]?.secret_sealed.toString('latin1')).not.toContain(secret)
  })
})
