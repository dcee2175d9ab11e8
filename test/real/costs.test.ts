import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import type { costsAnswer } from '../../contract/costs.ts'
import type { machinesAnswer } from '../../contract/machines.ts'
import { capture, currentSlot } from '../../ingest/capture.ts'
import { loadAll } from '../../ingest/load.ts'
import { createKey } from '../../platform/security/api-keys.ts'
import { smallMarket } from '../market.ts'
import { startServer, type TestServer } from '../server.ts'

const path = '/api/v0/metrics/costs'
const nothing = {
  kwh_price: null,
  watts_idle: null,
  watts_load: null,
  fee_percent: null,
  other_per_month: null,
  purchase_price: null,
  months: null,
}
const account = { ...nothing, kwh_price: 0.1, fee_percent: 20, other_per_month: 36.5 }

let server: TestServer
let host: string
let stranger: string

beforeAll(async () => {
  server = await startServer()
  const { postgres, clickhouse } = server
  await smallMarket(postgres, 20)
  await postgres.query(`UPDATE machines SET removed_at = rackrate_now() WHERE id = 11`)
  await postgres.query(`UPDATE accounts SET is_host = true WHERE id = 1002`)
  await capture(postgres, await currentSlot(postgres, 300))
  await loadAll({ postgres, clickhouse })
  host = (await createKey(postgres, { accountId: 1001 })).key
  stranger = (await createKey(postgres, { accountId: 1002 })).key
})
afterAll(() => server.close())

const read = async (key = host) => {
  const { success, ...costs } = (await server.get(path, key)).body as z.infer<typeof costsAnswer>
  expect(success).toBe(true)
  return costs
}
const put = (to: string, body: unknown, key = host) => server.send('PUT', `${path}${to}`, key, body)
async function figuresOf(id: number) {
  const { body } = await server.get(`/api/v0/metrics/machines?id=${id}`, host)
  return (body as z.infer<typeof machinesAnswer>).machines[0]?.figures
}

describe('the costs of own machines', () => {
  it("are the account's until a machine has its own, field by field", async () => {
    expect(await read()).toEqual({ account: nothing, machines: [] })
    expect((await figuresOf(4))?.costs).toMatchObject({
      floor: null,
      unknown: expect.arrayContaining(['kwh_price']),
    })
    expect((await put('', { ...account, purchase_price: 5 })).status).toBe(200)
    expect((await put('', account)).status).toBe(200)
    expect((await put('/machines/4', { watts_idle: 100.5, watts_load: 900.5 })).status).toBe(200)
    expect(await read()).toEqual({
      account,
      machines: [{ ...nothing, id: 4, watts_idle: 100.5, watts_load: 900.5 }],
    })
    // 800 W at 0.10 for 4 GPUs, of which a renter's dollar pays 0.80.
    expect((await figuresOf(4))?.costs).toMatchObject({
      floor: 0.025,
      minimum_bid: 0.03,
      assumed: [],
      unknown: ['purchase_price', 'months'],
      values: { ...account, watts_idle: 100.5, watts_load: 900.5 },
    })
    expect((await figuresOf(5))?.costs.assumed).toEqual(['watts_idle', 'watts_load'])
    for (const _ of [1, 2]) expect((await server.send('DELETE', `${path}/machines/4`, host)).status).toBe(200)
    expect(await read()).toEqual({ account, machines: [] })
  })

  it('are entered at once by many, and the last one holds', async () => {
    const prices = [0.1, 0.2, 0.3, 0.4]
    await Promise.all(prices.map((kwh_price) => put('/machines/6', { kwh_price })))
    const { machines } = await read()
    expect(machines.map(({ id }) => id)).toEqual([6])
    expect(prices).toContain(machines[0]?.kwh_price)
  })

  it('are private: a machine of another account is 404', async () => {
    await put('/machines/5', { fee_percent: 1 })
    expect(await read(stranger)).toEqual({ account: nothing, machines: [] })
    for (const [id, key] of [
      ...['5', '999999', 'none', '2147483648'].map((id) => [id, stranger] as const),
      ...['11', '0'].map((id) => [id, host] as const),
    ]) {
      const answers = [
        await put(`/machines/${id}`, { fee_percent: 2 }, key),
        await server.send('DELETE', `${path}/machines/${id}`, key),
      ]
      for (const { status, body } of answers)
        expect([status, body]).toEqual([
          404,
          { success: false, error: 'not_found', msg: 'There is no such machine' },
        ])
    }
    expect((await read()).machines.find(({ id }) => id === 5)?.fee_percent).toBe(1)
  })

  it('must be confirmed if they are far from usual', async () => {
    const typo = { kwh_price: 3, watts_idle: 100, watts_load: 50_000, fee_percent: 25 }
    for (const to of ['', '/machines/4']) {
      const before = await read()
      expect(await put(to, typo)).toMatchObject({
        status: 422,
        body: {
          error: 'unusual_costs',
          msg: expect.stringMatching(
            /^kwh_price is 3, and usually at most 1 USD per kWh; watts_load is 50000, .*; confirm_unusual must be true if they are right$/,
          ),
        },
      })
      expect(await read()).toEqual(before)
      expect((await put(to, { ...typo, confirm_unusual: true })).status).toBe(200)
      expect((await put(to, { ...typo, other_per_month: 5 })).status).toBe(200)
    }
    expect((await read()).machines.find(({ id }) => id === 4)).toEqual({
      ...nothing,
      ...typo,
      id: 4,
      other_per_month: 5,
    })
    expect((await put('', account)).status).toBe(200)
    await server.send('DELETE', `${path}/machines/4`, host)
  })

  it.each([
    ['kwh_price', { kwh_price: -1 }],
    ['watts_load', { watts_idle: 1, watts_load: 1e9 }],
    ['fee_percent', { fee_percent: 100 }],
    ['months', { months: 0 }],
  ])('are refused with the name of the field: %s', async (field, body) => {
    for (const to of ['', '/machines/4']) {
      const answer = await put(to, body)
      expect([answer.status, answer.body]).toEqual([
        400,
        {
          success: false,
          error: 'invalid_args',
          msg: expect.stringMatching(new RegExp(`^${field} must be`)),
        },
      ])
    }
    expect((await read()).account).toEqual(account)
  })
})
