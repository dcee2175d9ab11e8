import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createKey } from '../../platform/security/api-keys.ts'
import { startServer, type TestServer } from '../server.ts'
import { atOnce, openWorld, type World } from '../world.ts'

let server: TestServer
let world: World
beforeAll(async () => {
  server = await startServer()
  world = await openWorld(server)
})
afterAll(() => server?.close())
beforeEach(() => server.postgres.query('DELETE FROM outbox'))

const person = async () => {
  const { rows } = await server.postgres.query<{ id: number }>(
    `INSERT INTO accounts (name) VALUES ('New') RETURNING id`,
  )
  const id = rows[0]?.id ?? 0
  return { id, key: (await createKey(server.postgres, { accountId: id })).key }
}
const text = (key: string, phone_number: string) =>
  server.send('POST', '/api/v0/tfa/test', key, { phone_number })
const sent = async () =>
  (await server.postgres.query<{ n: number }>('SELECT count(*)::int AS n FROM outbox')).rows[0]?.n
const age = (by: string) =>
  server.postgres.query(`UPDATE outbox SET created_at = created_at - $1::interval`, [by])
/** Twenty requests at once, each with a number of its own. */
const twenty = (
  ask: (n: number) => Promise<{ status: number; headers: Record<string, unknown>; body: never }>,
) => {
  let n = 0
  return atOnce(20, () => {
    n += 1
    return ask(n)
  })
}
const count = (answers: { status: number }[], status: number) =>
  answers.filter((answer) => answer.status === status).length

it('an account texts five phones an hour and ten a day, however many it asks for at once', async () => {
  const { key } = await person()
  const answers = await twenty((n) => text(key, `+1555000${1000 + n}`))
  expect([count(answers, 200), count(answers, 429), await sent()]).toEqual([5, 15, 5])
  const refused = answers.find(({ status }) => status === 429)
  expect(refused?.body).toMatchObject({ success: false, error: 'sms_rate_limited' })
  expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(3500)
  expect(Number(refused?.headers['retry-after'])).toBeLessThanOrEqual(3600)
  await age('61 minutes')
  expect(count(await twenty((n) => text(key, `+1555000${2000 + n}`)), 200)).toBe(5)
  await age('61 minutes')
  const daily = await text(key, '+15550003000')
  expect(daily.status).toBe(429)
  expect(Number(daily.headers['retry-after'])).toBeGreaterThan(70_000)
  await age('24 hours')
  expect((await text(key, '+15550003000')).status).toBe(200)
})

it('a phone gets five texts an hour from all accounts together', async () => {
  const people = await Promise.all(Array.from({ length: 20 }, person))
  const answers = await twenty((n) => text(people[n - 1]?.key ?? '', '+15550007777'))
  expect([count(answers, 200), count(answers, 429), await sent()]).toEqual([5, 15, 5])
})

it('strangers cannot use up the limit of a phone that its holder signs in with', async () => {
  const holder = await person()
  await server.postgres.query(
    `INSERT INTO tfa_methods (account_id, kind, phone, confirmed_at) VALUES ($1, 'sms', '+15550008888', rackrate_now())`,
    [holder.id],
  )
  const people = await Promise.all(Array.from({ length: 6 }, person))
  const answers = []
  for (const { key } of people) answers.push(await text(key, '+15550008888'))
  expect(count(answers, 200)).toBe(5)
  const own = await server.send('POST', '/api/v0/tfa/test', holder.key, {})
  expect(own.status).toBe(200)
  const { secret } = own.body as { secret: string }
  expect((await server.send('POST', '/api/v0/tfa/resend', holder.key, { secret })).status).toBe(200)
})

/** A key of a new team of a person. */
const teamKey = async ({ id, key }: { id: number; key: string }, team_name: string) => {
  const { body } = await server.send('POST', '/api/v0/team', key, { team_name })
  const accountId = (body as { id: number }).id
  return (await createKey(server.postgres, { accountId, createdBy: id })).key
}
const invite = (key: string, email: string) => server.send('POST', '/api/v0/team/members', key, { email })

it('a person sends fifty invitations a day over all teams', async () => {
  const attacker = await person()
  const teams = await Promise.all([1, 2, 3, 4].map((n) => teamKey(attacker, `Visit example.com ${n}`)))
  const answers = []
  for (const [index, key] of teams.entries())
    answers.push(...(await twenty((n) => invite(key, `victim.${index}.${n}@example.com`))))
  expect([count(answers, 200), count(answers, 429), await sent()]).toEqual([50, 30, 50])
  const refused = answers.find(({ status }) => status === 429)
  expect(refused?.body).toMatchObject({ error: 'too_many_requests' })
  expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(86_000)
  // A mail that was not sent does not count.
  const { rows } = await server.postgres.query(`SELECT FROM team_invitations WHERE email LIKE 'victim.%'`)
  expect(rows).toHaveLength(50)
  expect((await invite(world.keys.team, 'friend@example.com')).status).toBe(200)
})

it('an address gets three invitations a day, from whomever', async () => {
  const keys = await Promise.all(
    Array.from({ length: 20 }, async (_, n) => teamKey(await person(), `Team ${n}`)),
  )
  const answers = await twenty((n) => invite(keys[n - 1] ?? '', 'Victim@example.com'))
  expect([count(answers, 200), count(answers, 429), await sent()]).toEqual([3, 17, 3])
})
