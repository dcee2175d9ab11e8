import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AlertMessage, AlertRule, AlertTried } from '../../contract/alerts.ts'
import type { machinesAnswer } from '../../contract/machines.ts'
import { createKey, revokeKey } from '../../platform/security/api-keys.ts'
import { openCarriers } from '../../src/companion/outbox/carriers.ts'
import { deliver } from '../../src/companion/outbox/deliver.ts'
import { purge } from '../../workers/processors/purge.ts'
import { belowThirty, openAlertsWorld } from '../alerts.ts'
import { startSmtp } from '../smtp.ts'
import { atOnce, keyWith } from '../world.ts'

const path = '/api/v0/alerts'
let alerts: Awaited<ReturnType<typeof openAlertsWorld>>
const interval = 900
beforeAll(async () => {
  alerts = await openAlertsWorld({ snapshotInterval: interval })
})
afterAll(() => alerts?.server.close())
beforeEach(async () => {
  await alerts.server.postgres.query('DELETE FROM alert_rules')
  await alerts.server.postgres.query('DELETE FROM alert_accounts')
  await alerts.server.postgres.query('DELETE FROM outbox')
})

interface Written {
  rule: AlertRule
  webhook_secret: string | null
}
const send = (
  method: 'POST' | 'PUT' | 'DELETE',
  where: string,
  body?: object,
  key = alerts.world.keys.host,
) => alerts.server.send(method, `${path}${where}`, key, body)
const create = async (body: object = {}, key?: string) => {
  const answer = await send('POST', '', { name: 'cheap', condition: belowThirty, ...body }, key)
  expect([answer.status, JSON.stringify(answer.body)]).toEqual([200, expect.anything()])
  return answer.body as Written
}
const rules = async (key = alerts.world.keys.host) =>
  ((await alerts.server.get(path, key)).body as { rules: AlertRule[] }).rules
const messages = async (key = alerts.world.keys.host) =>
  ((await alerts.server.get(`${path}/messages`, key)).body as { messages: AlertMessage[] }).messages
const said = async () =>
  (await messages()).reverse().flatMap(({ slot, entries }) => entries.map(({ what }) => `${slot} ${what}`))

describe('rules', () => {
  it('are made, listed, read, changed, silenced and deleted', async () => {
    const { rule, webhook_secret } = await create({ condition: { ...belowThirty, gpu_name: 'no_such gpu' } })
    expect(webhook_secret).toBe(null)
    expect(rule).toMatchObject({
      name: 'cheap',
      email: false,
      webhook_url: null,
      status: 'ok',
      firing: [],
      has_data: false,
      condition: { gpu_name: 'no such gpu', clears_at: null, hosting_type: 'all', num_gpus: 0 },
    })
    const body = { name: 'other', condition: { kind: 'data_age', minutes: 30 } }
    const changed = await send('PUT', `/${rule.id}/`, body)
    expect((changed.body as Written).rule).toMatchObject({ id: rule.id, ...body, has_data: null })
    expect(await rules()).toEqual([(changed.body as Written).rule])
    const until = Math.floor(Date.now() / 1000) + 3600
    expect((await send('PUT', `/${rule.id}/silence`, { until })).body).toMatchObject({
      rule: { silenced_until: until },
    })
    expect((await send('PUT', `/${rule.id}/silence`, { until: null })).body).toMatchObject({
      rule: { silenced_until: null },
    })
    expect((await alerts.server.get(`${path}/${rule.id}`, alerts.world.keys.host)).body).toMatchObject({
      rule: { id: rule.id },
    })
    const answers = await atOnce(5, () => send('DELETE', `/${rule.id}`))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404])
    expect(await rules()).toEqual([])
  })

  it('belong to their account: others get 404, also for its machines', async () => {
    const { rule } = await create()
    const admin = alerts.server.adminKey
    const body = { name: 'x', condition: belowThirty }
    for (const id of [rule.id, 999_999, 'x', '1e1', -1]) {
      const answers = await Promise.all([
        alerts.server.get(`${path}/${id}`, admin),
        send('PUT', `/${id}`, body, admin),
        send('PUT', `/${id}/silence`, { until: null }, admin),
        send('POST', `/${id}/test`, {}, admin),
        send('DELETE', `/${id}`, undefined, admin),
      ])
      for (const { status, body } of answers)
        expect([status, (body as { msg: string }).msg]).toEqual([404, 'There is no such rule'])
    }
    expect(await rules(admin)).toEqual([])
    expect(await messages(admin)).toEqual([])
    for (const machine_id of [alerts.world.machine_id, 999_999]) {
      const condition = { kind: 'machine_idle', hours: 1, machine_id }
      for (const where of ['', '/try']) {
        const answer = await send('POST', where, where ? { condition } : { name: 'x', condition }, admin)
        expect([answer.status, answer.body]).toEqual([
          404,
          { success: false, error: 'not_found', msg: 'There is no such machine' },
        ])
      }
    }
  })

  it('need permission to read and to write', async () => {
    const { server, world } = alerts
    const reader = await keyWith(server, world.host_id, 'machine_read')
    const writer = await keyWith(server, world.host_id, 'machine_write')
    const body = { name: 'x', condition: belowThirty }
    expect((await send('POST', '', body, reader)).status).toBe(403)
    expect((await send('POST', '', body, writer)).status).toBe(403)
    expect((await send('POST', '/feed', {}, writer)).status).toBe(403)
    expect((await send('POST', '/try', { condition: belowThirty }, reader)).status).toBe(200)
    expect((await send('POST', '', body, world.keys.renter)).status).toBe(403)
  })

  it('are at most a hundred, however many are made at once', async () => {
    const { server, world } = alerts
    await server.postgres.query(
      `INSERT INTO alert_rules (account_id, created_by, name, condition, email)
       SELECT $1, $1, 'many', '{"kind": "data_age", "minutes": 10}', false FROM generate_series(1, 98)`,
      [world.host_id],
    )
    const answers = await atOnce(6, () => send('POST', '', { name: 'x', condition: belowThirty }))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 400, 400, 400, 400])
  })

  it('need a verified address for mail', async () => {
    await alerts.server.postgres.query('UPDATE accounts SET email_verified = false WHERE id = $1', [
      alerts.world.host_id,
    ])
    const answer = await send('POST', '', { name: 'x', condition: belowThirty, email: true })
    expect([answer.status, (answer.body as { error: string }).error]).toEqual([400, 'email_not_verified'])
    await alerts.server.postgres.query('UPDATE accounts SET email_verified = true WHERE id = $1', [
      alerts.world.host_id,
    ])
  })
})

describe('at every slot', () => {
  it('a rule reports firing and resolving once each, by mail, in the feed and in a trial', async () => {
    const { world, server, land } = alerts
    await create({ email: true })
    await create({ name: 'unknown', condition: { ...belowThirty, gpu_name: 'nothing' }, email: true })
    await create({
      name: 'occupied',
      condition: { ...belowThirty, statistic: 'occupancy', is: 'above', limit: 0.01 },
    })
    const slots = []
    for (const price of [0.4, 0.2, 0.2, 0.4, 0.4, 0.1]) slots.push(await land(price))
    expect(await said()).toEqual([`${slots[1]} fired`, `${slots[3]} resolved`, `${slots[5]} fired`])
    expect((await rules()).map(({ status, has_data }) => `${status} ${has_data}`)).toEqual([
      'firing true',
      'ok false',
      'ok true',
    ])
    const tried = (await send('POST', '/try', { condition: belowThirty, days: 1 })).body as AlertTried
    expect(tried.entries.map(({ slot, what }) => `${slot} ${what}`)).toEqual(await said())
    expect(tried).toMatchObject({ fired: 2, to: slots.at(-1) })

    const smtp = await startSmtp()
    const carriers = openCarriers({
      smtp: { url: smtp.url, from: 'rackrate@localhost' },
      folder: '/nonexistent',
    })
    expect(await deliver(server.postgres, server.vault, carriers)).toEqual({ sent: 3, failed: [] })
    await smtp.close()
    expect(smtp.mails.map(({ to }) => to)).toEqual(Array(3).fill(['host@demo.invalid']))
    expect(smtp.mails[0]?.raw).toContain('Subject: rackrate: RTX 4090: the available median is $0.205')
    expect(smtp.mails[1]?.raw).toContain(
      'Resolved: RTX 4090: the available median is $0.405, no longer below',
    )

    const feed = await server.app.inject({
      url: `${path}/feed`,
      headers: { authorization: `Bearer ${world.keys.host}` },
    })
    expect([feed.statusCode, feed.headers['content-type']]).toEqual([
      200,
      'application/atom+xml; charset=utf-8',
    ])
    expect(feed.body.match(/<entry>/g)).toHaveLength(3)
    const again = await server.app.inject({
      url: `${path}/feed`,
      headers: { authorization: `Bearer ${world.keys.host}`, 'if-none-match': String(feed.headers.etag) },
    })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })

  it('a rule reports an idle own machine, and one whose price leaves its class', async () => {
    const { land, world } = alerts
    await create({ name: 'idle', condition: { kind: 'machine_idle', hours: 1 } })
    const { machine_id } = world
    await create({ name: 'price', condition: { kind: 'machine_price', machine_id, slots: 1 } })
    const rented = { free: 0, rented: [{ gpus: 1, price: 0.3 }] }
    await land(0.3, rented)
    const first = await land(0.3, { price: 0.305 })
    for (let n = 0; n < 4; n += 1) await land(0.3, { price: 0.305 })
    const { postgres } = alerts.server
    const own = 'INSERT INTO machine_costs (account_id, kwh_price, watts_idle, watts_load, fee_percent)'
    await postgres.query(`${own} SELECT account_id, 10, 0, 1000, 50 FROM machines WHERE id = $1`, [
      machine_id,
    ])
    await postgres.query('INSERT INTO gpu_listings (machine_id, price) VALUES ($1, 0.9)', [machine_id])
    const outside = await land(0.3, { price: 0.9 })
    const fired = (await messages()).find(({ name }) => name === 'price')?.entries[0]
    const { body } = await alerts.server.get(`/api/v0/metrics/machines?id=${machine_id}`, world.keys.host)
    const [machine] = (body as (typeof machinesAnswer)['_output']).machines
    const { price, basis } = machine?.figures?.advice ?? {}
    // With 10 dollars for a kWh every price is below the floor.
    expect([price, basis]).toEqual([machine?.figures?.costs.minimum_bid, 'net'])
    expect(fired).toMatchObject({
      recommended: { price, basis },
      text: expect.stringContaining(` Recommended: $${price}, after power and fee.`),
    })
    const end = await land(0.3, rented)
    const found = (await messages())
      .reverse()
      .flatMap(({ name, slot, entries }) =>
        entries.map((entry) => `${name} ${(slot - first) / interval} ${entry.what} ${entry.machine_id}`),
      )
    expect(found).toEqual([
      `idle 4 fired ${machine_id}`,
      `price ${(outside - first) / interval} fired ${machine_id}`,
      `idle ${(end - first) / interval} resolved ${machine_id}`,
    ])
    for (const [condition, fired] of [
      [{ kind: 'machine_idle', hours: 1 }, 1],
      [{ kind: 'machine_price', machine_id, slots: 1 }, 1],
    ] as const)
      expect((await send('POST', '/try', { condition })).body).toMatchObject({ fired })
  })

  it('a rule reports an event of the market once', async () => {
    const { land, spoolNext, state, stores } = alerts
    const { spool } = await import('../random-market.ts')
    const { marketAt } = await import('../alerts.ts')
    const condition = { kind: 'event', gpu_name: 'rtx 4090', verified: 'all', event: 'supply_drop' }
    await create({ name: 'drop', condition })
    for (let n = 0; n < 5; n += 1) await spoolNext(0.3)
    state.slot += interval
    await spool(stores.postgres, state.slot, marketAt(state.slot, { price: 0.3 }).slice(0, 8))
    const dropped = state.slot
    await land(0.3)
    expect(await said()).toEqual([`${dropped} fired`])
    const tried = (await send('POST', '/try', { condition, days: 31 })).body as AlertTried
    expect(tried.entries.map(({ slot }) => slot)).toContain(dropped)
  })

  it('a rule reports old data once, by the clock', async () => {
    await create({ name: 'old', condition: { kind: 'data_age', minutes: 10 } })
    await alerts.server.postgres.query(`UPDATE alert_progress SET slot = 0 WHERE what = 'clock'`)
    await alerts.run()
    await alerts.run()
    const [message, ...others] = await messages()
    expect(others).toEqual([])
    expect(message?.entries[0]).toMatchObject({ what: 'fired', limit: 10 })
    const tried = (await send('POST', '/try', { condition: { kind: 'data_age', minutes: 10 } }))
      .body as AlertTried
    expect(tried.fired).toBe(0)
  })

  it('a silenced rule reports nothing until its silence ends', async () => {
    const { land } = alerts
    const { rule } = await create()
    await land(0.5)
    await send('PUT', `/${rule.id}/silence`, { until: 4_000_000_000 })
    await land(0.1)
    expect(await messages()).toEqual([])
    expect((await rules())[0]).toMatchObject({ status: 'firing' })
    await send('PUT', `/${rule.id}/silence`, { until: null })
    const slot = await land(0.1)
    expect(await said()).toEqual([`${slot} fired`])
  })

  it('a rule without a valid key or market access reports nothing until another key changes it', async () => {
    const { server, world, land } = alerts
    const { key } = await createKey(server.postgres, { accountId: world.host_id })
    const { rule } = await create({}, key)
    await land(0.5)
    await revokeKey(server.postgres, `${key.split('_')[1]}`)
    await land(0.1)
    expect(await messages()).toEqual([])
    expect((await rules())[0]).toMatchObject({
      status: 'stopped',
      stop_reason: 'The API key that wrote it has ended',
    })
    await send('PUT', `/${rule.id}`, { name: 'cheap', condition: belowThirty })
    await server.postgres.query('UPDATE machines SET online = false WHERE id = $1', [world.machine_id])
    await land(0.1)
    expect(await messages()).toEqual([])
    expect((await rules())[0]?.stop_reason).toBe('The account has no active machine')
    expect((await send('POST', '/try', { condition: belowThirty }, await anotherKey())).status).toBe(403)
    await server.postgres.query('UPDATE machines SET online = true WHERE id = $1', [world.machine_id])
    await land(0.1)
    expect(await messages()).toHaveLength(1)
  })
  const anotherKey = async () =>
    (await createKey(alerts.server.postgres, { accountId: alerts.world.host_id })).key

  it('a slot that is loaded more than a day late is skipped', async () => {
    const { stores, state } = alerts
    const { rows } = await stores.postgres.query<{ slot: number }>(
      `SELECT slot FROM alert_progress WHERE what = 'market'`,
    )
    expect(rows[0]?.slot).toBe(state.slot)
  })
})

describe('the feed', () => {
  it('has an address that works without a key, until it is replaced or revoked or its key ends', async () => {
    const { server, world } = alerts
    const at = async (url: string) => (await server.app.inject({ url })).statusCode
    const open = async (key = world.keys.host) =>
      ((await send('POST', '/feed', undefined, key)).body as { url: string }).url
    const first = await open()
    expect(first).toMatch(/^\/api\/v0\/alerts\/feed\/[0-9a-f]{64}$/)
    expect(await at(first)).toBe(200)
    const second = await open()
    expect([await at(first), await at(second), await at(`${path}/feed/x`)]).toEqual([404, 200, 404])
    expect((await send('DELETE', '/feed')).status).toBe(200)
    expect(await at(second)).toBe(404)
    const { key } = await createKey(server.postgres, { accountId: world.host_id })
    const third = await open(key)
    expect(await at(third)).toBe(200)
    await revokeKey(server.postgres, `${key.split('_')[1]}`)
    expect(await at(third)).toBe(404)
  })
})

it('messages of rules are kept for 90 days', async () => {
  const { rule } = await create()
  await alerts.server.postgres.query(
    `INSERT INTO alert_messages (rule_id, slot, entries, created_at)
     SELECT $1, age, '[]', rackrate_now() - age * interval '1 day' FROM unnest(ARRAY[1, 89, 91]) AS age`,
    [rule.id],
  )
  await purge(alerts.server, 2)
  expect((await messages()).map(({ slot }) => slot)).toEqual([89, 1])
})
