import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKey } from '../../platform/security/api-keys.ts'
import { purge } from '../../workers/processors/purge.ts'
import { belowThirty, openAlertsWorld } from '../alerts.ts'
import { atOnce } from '../world.ts'

let alerts: Awaited<ReturnType<typeof openAlertsWorld>>
beforeAll(async () => {
  alerts = await openAlertsWorld()
})
afterAll(() => alerts?.server.close())

const post = async (url: string, payload: object, idempotencyKey: string, key = alerts.world.keys.host) => {
  const headers = { authorization: `Bearer ${key}`, 'idempotency-key': idempotencyKey }
  const answer = await alerts.server.app.inject({ method: 'POST', url, headers, payload })
  return { status: answer.statusCode, body: answer.json() }
}
const rowsOf = async (table: string) => {
  const { rows } = await alerts.server.postgres.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM ${table}`,
  )
  return rows[0]?.n ?? 0
}

describe.each([
  { path: '/api/v0/alerts', table: 'alert_rules', body: { name: 'cheap', condition: belowThirty } },
  { path: '/api/v0/auth/apikeys', table: 'api_keys', body: { name: 'robot' } },
  {
    path: '/api/v0/shares',
    table: 'shared_charts',
    body: { query: 'gpu_name=L4', last: 3600, metric: 'price' },
  },
])('a repeat of POST $path with the same Idempotency-Key', ({ path, table, body }) => {
  it('gets the first answer and creates nothing, also when both run at once', async () => {
    const before = await rowsOf(table)
    const answers = await atOnce(5, () => post(path, body, 'first'))
    const later = await post(path, body, 'first')
    expect(answers[0]).toMatchObject({ status: 200, body: { success: true } })
    expect(new Set([...answers, later].map((answer) => JSON.stringify(answer)))).toHaveLength(1)
    expect(await rowsOf(table)).toBe(before + 1)
  })

  it('is 422 with another body', async () => {
    await post(path, body, 'second')
    const before = await rowsOf(table)
    const other = await post(path, { ...body, name: 'another', last: 7200 }, 'second')
    expect(other).toMatchObject({ status: 422, body: { error: 'idempotency_key_reused' } })
    expect(await rowsOf(table)).toBe(before)
  })
})

const keys = '/api/v0/auth/apikeys'

it('an Idempotency-Key of another API key is another one', async () => {
  const { rows } = await alerts.server.postgres.query<{ account_id: number }>(
    'SELECT account_id FROM api_keys WHERE id = (SELECT api_key_id FROM idempotent_answers LIMIT 1)',
  )
  const { key } = await createKey(alerts.server.postgres, { accountId: rows[0]?.account_id ?? 0 })
  const [one, other] = [await post(keys, {}, 'third'), await post(keys, {}, 'third', key)]
  expect([one.status, other.status]).toEqual([200, 200])
  expect(other.body.key).not.toBe(one.body.key)
})

it('a failure is not stored: a repeat is executed again', async () => {
  expect((await post(keys, { expires_at: 1 }, 'fourth')).status).toBe(400)
  expect((await post(keys, {}, 'fourth')).status).toBe(200)
})

it.each(['', 'a b', 'x'.repeat(256)])(
  'an Idempotency-Key is 1 to 255 visible characters, not %j',
  async (key) => {
    expect(await post(keys, {}, key)).toMatchObject({
      status: 400,
      body: { msg: expect.stringContaining('idempotency-key') },
    })
  },
)

it('an answer is stored sealed, for a day', async () => {
  const { postgres } = alerts.server
  const { body } = await post(keys, {}, 'fifth')
  const kept = async () => {
    const { rows } = await postgres.query<{ answer_sealed: Buffer }>(
      `SELECT answer_sealed FROM idempotent_answers WHERE idempotency_key = 'fifth'`,
    )
    return rows.map(({ answer_sealed }) => answer_sealed)
  }
  const [sealed] = await kept()
  expect(sealed?.includes(body.key)).toBe(false)
  await purge(alerts.server, 2)
  expect(await kept()).toHaveLength(1)
  await postgres.query(`UPDATE idempotent_answers SET created_at = created_at - interval '25 hours'`)
  await purge(alerts.server, 2)
  expect(await kept()).toHaveLength(0)
})

it('a repeat gets the first answer also when the machine that it names is gone', async () => {
  const { machine_id } = alerts.world
  const requests = [
    ['/api/v0/alerts', { name: 'mine', condition: { kind: 'machine_idle', machine_id, hours: 3 } }],
    ['/api/v0/metrics/autopilot/rules', { name: 'mine', machine_id, target: { kind: 'recommended' } }],
  ] as const
  const postAll = async (key: string) => [await post(...requests[0], key), await post(...requests[1], key)]
  const first = await postAll('machine')
  expect(first, JSON.stringify(first)).toMatchObject([{ status: 200 }, { status: 200 }])
  await alerts.server.postgres.query('UPDATE machines SET removed_at = created_at WHERE id = $1', [
    machine_id,
  ])
  expect(await postAll('machine')).toEqual(first)
  expect(await postAll('another')).toMatchObject([{ status: 404 }, { status: 404 }])
})
