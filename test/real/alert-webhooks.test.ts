import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AlertMessage, AlertRule } from '../../contract/alerts.ts'
import { deliverHooks } from '../../src/alerts/webhook/deliver.ts'
import { openSender } from '../../src/rules/webhook/send.ts'
import { belowThirty, openAlertsWorld } from '../alerts.ts'
import { isSigned, startReceiver } from '../receiver.ts'

const path = '/api/v0/alerts'
const privateHosts = ['127.0.0.1']
const send = openSender({ privateHosts })
/** For receivers that never answer. */
const impatient = openSender({ privateHosts, timeoutMs: 1000 })
let alerts: Awaited<ReturnType<typeof openAlertsWorld>>
/** The medians of the slots. They are loaded once, and each test shows them to the rules again, one after the other. */
const prices = [0.5, 0.1, 0.5, 0.1, 0.5]
const slots: number[] = []
let landed = 0
let receiver: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  alerts = await openAlertsWorld({ privateHosts, sendHook: send })
  receiver = await startReceiver()
  for (const price of prices) slots.push(await alerts.spoolNext(price))
  await alerts.load()
})
afterAll(async () => {
  receiver?.close()
  await alerts?.server.close()
})
beforeEach(async () => {
  await alerts.server.postgres.query('DELETE FROM alert_rules')
  await alerts.server.postgres.query('DELETE FROM alert_accounts')
  await alerts.server.postgres.query('UPDATE snapshots SET loaded_at = NULL')
  const before = `UPDATE alert_progress SET slot = $1 WHERE what = 'market'`
  await alerts.server.postgres.query(before, [(slots[0] ?? 0) - 300])
  landed = 0
  receiver.received.length = 0
  receiver.handlers.answer = (response) => response.end()
})

interface Written {
  rule: AlertRule
  webhook_secret: string
}
const write = async (webhook_url: string | null, id?: number) => {
  const body = { name: 'cheap', condition: belowThirty, webhook_url }
  const { keys } = alerts.world
  const where = id === undefined ? path : `${path}/${id}`
  return alerts.server.send(id === undefined ? 'POST' : 'PUT', where, keys.host, body)
}
const create = async (url = `${receiver.url}/hook`) => (await write(url)).body as Written
const get = async <Body>(where: string) =>
  (await alerts.server.get(`${path}${where}`, alerts.world.keys.host)).body as Body
const message = async () => (await get<{ messages: AlertMessage[] }>('/messages')).messages[0]
/** Shows the next slot to the rules. */
const land = async () => {
  const show = 'UPDATE snapshots SET loaded_at = rackrate_now() WHERE slot = $1'
  expect((await alerts.server.postgres.query(show, [slots[landed]])).rowCount).toBe(1)
  landed += 1
  await alerts.run()
}
const fire = async () => {
  await land()
  await land()
}
/** The clock of deliveries, unix seconds. */
let now = 0
const deliverNow = (later = 0, by = send) => {
  now = Math.max(now, Date.now() / 1000) + later
  const { postgres, vault } = alerts.server
  return deliverHooks({ postgres, vault, clock: { now: () => now }, send: by })
}

describe('a webhook', () => {
  it('gets each message once, signed with the secret that was shown once', async () => {
    const { rule, webhook_secret } = await create()
    expect(webhook_secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(JSON.stringify(await get(''))).not.toContain('whsec_')
    const { rows } = await alerts.server.postgres.query(
      'SELECT webhook_secret_sealed AS sealed FROM alert_rules',
    )
    expect(rows[0].sealed.toString('latin1')).not.toContain(webhook_secret)
    await fire()
    expect(await deliverNow()).toEqual({ delivered: 1, failed: 0 })
    expect(await deliverNow(100_000)).toBeUndefined()
    const [one] = receiver.received
    expect(receiver.received).toHaveLength(1)
    expect(one && isSigned(one, webhook_secret)).toBe(true)
    expect(one?.id).toBe((await message())?.id)
    expect(JSON.parse(one?.body ?? '')).toMatchObject({
      type: 'alert.fired',
      data: { rule_id: rule.id, name: 'cheap', entries: [{ what: 'fired', limit: 0.3 }] },
    })
    expect(await message()).toMatchObject({ webhook: 'delivered', attempts: 1, webhook_status: 200 })
    // An unchanged address keeps its secret; a new address gets a new one.
    expect((await write(`${receiver.url}/hook`, rule.id)).body).toMatchObject({ webhook_secret: null })
    const { webhook_secret: other } = (await write(`${receiver.url}/other`, rule.id)).body as Written
    expect(other).not.toBe(webhook_secret)
    await land()
    await deliverNow()
    const [, two] = receiver.received
    expect(two && [two.path, isSigned(two, other), JSON.parse(two.body).type]).toEqual([
      '/other',
      true,
      'alert.resolved',
    ])
  })

  it('is called again for about a day after an answer 500, always with the same id', async () => {
    const { webhook_secret } = await create()
    receiver.handlers.answer = (response) => response.writeHead(500).end('no')
    await fire()
    await deliverNow()
    const began = now
    let attempts = 1
    for (let turn = 0; turn < 40 * 6 && (await message())?.webhook === 'waiting'; turn += 1) {
      const done = await deliverNow(600)
      attempts += done?.failed ?? 0
    }
    expect(attempts).toBe(8)
    expect((now - began) / 3600).toBeGreaterThan(24)
    expect((now - began) / 3600).toBeLessThan(30)
    expect(await message()).toMatchObject({ webhook: 'failed', attempts: 8, webhook_status: 500 })
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1)
    expect(receiver.received.every((one) => isSigned(one, webhook_secret))).toBe(true)
    expect(new Set(receiver.received.map(({ timestamp }) => timestamp)).size).toBe(8)
  })

  it('gets its missed messages when it is reachable again', async () => {
    await create()
    receiver.handlers.answer = (response) => response.writeHead(503).end()
    await fire()
    await deliverNow()
    receiver.handlers.answer = (response) => response.writeHead(204).end()
    expect(await deliverNow(60)).toEqual({ delivered: 1, failed: 0 })
    expect(await message()).toMatchObject({ webhook: 'delivered', attempts: 2, webhook_status: 204 })
  })

  it('gets nothing more after an answer 410, until it is written again', async () => {
    const { rule } = await create()
    receiver.handlers.answer = (response) => response.writeHead(410).end()
    await fire()
    await land()
    await deliverNow()
    expect(receiver.received.length).toBeLessThanOrEqual(2)
    expect((await get<{ rules: AlertRule[] }>('')).rules[0]).toMatchObject({ webhook_gone: true })
    receiver.received.length = 0
    await land()
    await deliverNow(100_000)
    expect(receiver.received).toEqual([])
    expect(await message()).toMatchObject({ webhook: null })
    receiver.handlers.answer = (response) => response.end()
    await write(`${receiver.url}/hook`, rule.id)
    await land()
    expect(await deliverNow()).toEqual({ delivered: 1, failed: 0 })
  })

  it.each([
    ['301', (to: string) => ({ status: 301, headers: { location: to } })],
    ['307', (to: string) => ({ status: 307, headers: { location: to } })],
    ['308', (to: string) => ({ status: 308, headers: { location: to } })],
  ])('is not followed to a redirect with %s', async (_, answerOf) => {
    const other = await startReceiver()
    const { status, headers } = answerOf(other.url)
    receiver.handlers.answer = (response) => response.writeHead(status, headers).end()
    await create()
    await fire()
    expect(await deliverNow()).toEqual({ delivered: 0, failed: 1 })
    expect(await message()).toMatchObject({ webhook: 'waiting', webhook_status: status })
    expect(other.received).toEqual([])
    other.close()
  })

  it('costs a bounded time and no memory when it hangs, drips or sends without end', async () => {
    const url = `${receiver.url}/x`
    receiver.handlers.answer = () => {}
    expect(await impatient(url, {}, '{}')).toEqual({ status: null, reason: 'no_answer' })
    receiver.handlers.answer = (response) => void response.socket?.write('HTTP/1.1 200 OK\r\nx: ')
    expect(await impatient(url, {}, '{}')).toEqual({ status: null, reason: 'no_answer' })
    receiver.handlers.answer = (response) =>
      void response.socket?.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(1e6)}`)
    expect(await impatient(url, {}, '{}')).toEqual({ status: null, reason: 'no_answer' })
    let written = 0
    receiver.handlers.answer = (response) => {
      response.writeHead(200)
      const more = () => {
        written += 65_536
        if (!response.destroyed && written < 1e9)
          response.write(Buffer.alloc(65_536), () => setImmediate(more))
      }
      more()
    }
    expect(await send(url, {}, '{}')).toEqual({ status: 200, reason: null })
    expect(written).toBeLessThan(100e6)
  })

  it('does not delay the webhooks of other accounts when it hangs', async () => {
    for (let n = 0; n < 6; n += 1) await create(`${receiver.url}/hang`)
    const body = { name: 'other', condition: belowThirty, webhook_url: `${receiver.url}/other` }
    await alerts.server.send('POST', path, alerts.server.adminKey, body)
    await fire()
    await alerts.server.postgres.query(
      `UPDATE alert_messages SET next_try_at = rackrate_now() - interval '1 hour'
       WHERE rule_id IN (SELECT id FROM alert_rules WHERE name = 'cheap')`,
    )
    receiver.handlers.answer = (response, { path }) => path === '/other' && response.end()
    const someTime = openSender({ privateHosts, timeoutMs: 2000 })
    expect(await deliverNow(0, someTime)).toEqual({ delivered: 1, failed: 6 })
    // At most two receivers of an account are called at the same time.
    expect(receiver.received.findIndex((one) => one.path === '/other')).toBeLessThanOrEqual(2)
    expect(receiver.received).toHaveLength(7)
  })

  it('is tested on demand, and not too often', async () => {
    const { rule, webhook_secret } = await create()
    const test = () => alerts.server.send('POST', `${path}/${rule.id}/test`, alerts.world.keys.host)
    expect((await test()).body).toEqual({
      success: true,
      email: false,
      webhook: { delivered: true, status: 200, reason: null },
    })
    const [one] = receiver.received
    expect(one && isSigned(one, webhook_secret)).toBe(true)
    expect(JSON.parse(one?.body ?? '{}')).toMatchObject({ type: 'alert.test' })
    const again = await test()
    expect([again.status, again.headers['retry-after']]).toEqual([429, expect.stringMatching(/^([1-9]|10)$/)])
    expect(await message()).toBeUndefined()
  })
})

it('a chat service gets each message once, as text and without a secret', async () => {
  expect(await write('https://discord.com/api/webhooks/1/x')).toMatchObject({
    body: { webhook_secret: null },
  })
  await fire()
  // The request that Discord would get goes to the receiver.
  await deliverNow(0, (_, headers, body) => send(`${receiver.url}/chat`, headers, body))
  await deliverNow()
  expect(receiver.received.map(({ body }) => JSON.parse(body).content)).toEqual([
    expect.stringMatching(/^cheap\n {2}Alert: RTX 4090/),
  ])
  expect(await message()).toMatchObject({ webhook: 'delivered', attempts: 1 })
})

describe('a webhook cannot reach what is not on the public internet', () => {
  it.each([
    'http://example.com/',
    'https://localhost/',
    'https://localhost./',
    'https://0x7f.2/',
    'https://2130706434/',
    'https://0/',
    'https://10.0.0.1/',
    'https://100.64.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://172.16.0.1/',
    'https://192.168.0.1:8443/',
    'https://224.0.0.1/',
    'https://[::1]/',
    'https://[::]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[64:ff9b::a9fe:a9fe]/',
    'https://[2002:7f00:1::]/',
    'https://[fd00::1]/',
    'https://[fe80::1]/',
    'https://[ff02::1]/',
    'https://postgres:5432/',
    'https://metadata.google.internal/',
    'https://127.0.0.2.:8443/',
  ])('is refused by its text: %s', async (url) => {
    const answer = await write(url)
    expect([url, answer.status]).toEqual([url, 400])
    const strict = openSender({ privateHosts: [], timeoutMs: 1000 })
    expect(await strict(url, {}, '{}')).toEqual({ status: null, reason: 'refused_address' })
  })

  it.each([
    [['127.0.0.1']],
    [['10.0.0.1']],
    [['169.254.169.254']],
    [['::1']],
    [['::ffff:10.0.0.1']],
    [['64:ff9b::a00:1']],
    [['fd00::1']],
    [['0.0.0.0']],
    [['93.184.215.14', '127.0.0.1']],
    [['not an address']],
  ])('is refused by its name, which resolves to %j', async (addresses) => {
    const resolve = vi.fn(async () => addresses)
    const sender = openSender({ privateHosts: [], timeoutMs: 1000, resolve })
    expect(await sender('https://rebind.example.com:1/', {}, '{}')).toEqual({
      status: null,
      reason: 'refused_address',
    })
    expect(resolve).toHaveBeenCalledTimes(1)
  })

  it('is checked at each retry, and the connection goes to the checked address', async () => {
    // The first address is public, and nothing listens at it.
    const answers = [['2a0f:ffff::1'], ['127.0.0.1']]
    const resolve = vi.fn(async () => answers.shift() ?? ['127.0.0.1'])
    const sender = openSender({ privateHosts: [], timeoutMs: 300, resolve })
    const url = `https://rebind.example.com:${new URL(receiver.url).port}/`
    // The first name server's answer is used as it is: nothing else is asked, so the second answer cannot take its place.
    expect(await sender(url, {}, '{}')).toMatchObject({ status: null })
    expect(resolve).toHaveBeenCalledTimes(1)
    expect(await sender(url, {}, '{}')).toEqual({ status: null, reason: 'refused_address' })
    expect(receiver.received).toEqual([])
  })

  it('a name without an address is no answer', async () => {
    const sender = openSender({ privateHosts: [], timeoutMs: 1000, resolve: async () => [] })
    expect(await sender('https://none.example.com/', {}, '{}')).toEqual({ status: null, reason: 'no_answer' })
  })
})
