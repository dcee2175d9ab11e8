import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { alertCondition, type ChangeCondition } from '../../contract/alert-conditions.ts'
import { alertSpans } from '../../contract/alert-kinds.ts'
import type { AlertMessage, AlertRule, AlertTried } from '../../contract/alerts.ts'
import { writeChanges } from '../../ingest/list-prices.ts'
import { readOlder } from '../../src/alerts/older.ts'
import { openRuleMarket } from '../../src/rules/markets.ts'
import { openAlertsWorld } from '../alerts.ts'
import { expectedChanges } from '../oracle/alerts.ts'

const path = '/api/v0/alerts'
const interval = 900
let alerts: Awaited<ReturnType<typeof openAlertsWorld>>
beforeAll(async () => {
  alerts = await openAlertsWorld({ snapshotInterval: interval })
})
afterAll(() => alerts?.server.close())

const falls = {
  kind: 'statistic',
  gpu_name: 'rtx_4090',
  verified: 'all',
  statistic: 'avail_median',
  is: 'falls',
  by: 10,
  within_hours: 1,
  slots: 1,
}
const host = () => alerts.world.keys.host
const post = (where: string, body: object) => alerts.server.send('POST', `${path}${where}`, host(), body)
const attempt = async (condition: object) => (await post('/try', { condition })).body as AlertTried

it('the messages of a rule on a change equal the plain definition and a trial at each slot', async () => {
  const { server, state, spoolNext, load, run } = alerts
  const first = state.slot + interval
  const offer = {
    catalog: 'gpuhunt',
    provider: 'aws',
    region: 'us-east-1',
    instance_name: 'g',
    listed_name: 'RTX 4090',
    gpu_name: 'RTX 4090',
    gpu_memory: 24,
    gpus: 1,
    spot: false,
  }
  await server.postgres.query(
    `INSERT INTO catalogs (catalog, provider, place, ask_after, read_at) VALUES ('gpuhunt', 'aws', '', rackrate_now(), rackrate_now())`,
  )
  await writeChanges(server.clickhouse, [
    { ...offer, time: first - 86_400, price: 2 },
    { ...offer, time: first + 9 * interval, price: 1 },
  ])
  const conditions: object[] = [
    falls,
    { ...falls, is: 'rises', by: 25 },
    { ...falls, by: 20, clears_at: 5, slots: 2 },
    { ...falls, within_hours: 3 },
    { ...falls, statistic: 'total_gpus', by: 5 },
    { ...falls, statistic: 'occupancy' },
    { ...falls, statistic: 'rented_median' },
    { ...falls, statistic: 'fill_rate' },
    { ...falls, statistic: 'list_price', gpu_name: 'RTX 4090', by: 50 },
    { ...falls, gpu_name: 'nothing' },
    { ...falls, hosting_type: 'secure_cloud' },
  ]
  for (const [n, condition] of conditions.entries())
    expect((await post('', { name: `${n}`, condition })).status).toBe(200)
  const cents = [40, 40, 40, 40, 36, 36, 30, 44, 44, 44, 44, 44, 30, 30, 40, 40, 40, 44, 44, 50]
  const slots = []
  // A price in the middle of twelve: the sixth machine asks 5 thousandths more than the first.
  for (const [n, price] of cents.entries()) {
    if (n === 16) state.slot += 2 * interval
    const rented = { free: 0, rented: [{ gpus: 1, price: n < 8 ? 0.4 : 0.2 }] }
    slots.push(await spoolNext(price / 100 - 0.005, n % 5 < 3 ? rented : undefined))
    // The first evaluation of rules is at the newest slot only.
    if (n === 0 || n === cents.length - 1) await load().then(run)
  }

  const { rules } = (await server.get(path, host())).body as { rules: AlertRule[] }
  const { messages } = (await server.get(`${path}/messages`, host())).body as { messages: AlertMessage[] }
  const said = (n: number) =>
    messages
      .filter(({ name }) => name === `${n}`)
      .reverse()
      .flatMap(({ slot, entries }) => entries.map((entry) => ({ slot, ...entry })))
  const medians = cents
  const gpus = cents.map((_, n) => (n % 5 < 3 ? 13 : 12))
  for (const [n, values] of [medians, medians, medians, medians, gpus].entries()) {
    const condition = rules[n]?.condition as ChangeCondition
    const expected = expectedChanges(
      slots.map((slot, at) => ({ slot, value: values[at] ?? null, isThin: false })),
      { ...condition, hours: condition.within_hours, interval },
    )
    expect(expected.length).toBeGreaterThan(1)
    expect(said(n).map(({ slot, what }) => `${slot} ${what}`)).toEqual(expected)
  }
  // One rented machine is too few, nothing was rented for a fill rate, and the rest has no data.
  expect([5, 6, 7, 8, 9, 10].map((n) => said(n).length)).toEqual([7, 0, 0, 2, 0, 0])
  expect(said(8)[0]?.text).toBe(
    'RTX 4090: the lowest list price of a cloud is $1, down 50 % in 1 hour (from $2).',
  )
  for (const [n, condition] of conditions.entries())
    expect((await attempt(condition)).entries).toEqual(said(n))
})

it('a trial returns the current readings, and invalid input is named', async () => {
  // 50 now, 40 an hour before.
  expect((await attempt(falls)).now).toEqual({ value: 0.5, before: 0.4, limit: 0.36 })
  const level = { ...falls, is: 'below', limit: 0.3 }
  expect((await attempt(level)).now).toEqual({ value: 0.5, before: null, limit: 0.3 })
  expect((await attempt({ ...falls, within_hours: 720 })).now).toEqual({
    value: 0.5,
    before: null,
    limit: null,
  })
  expect((await attempt({ kind: 'data_age', minutes: 10 })).now).toBe(null)
  for (const [changes, msg] of [
    [{ by: undefined }, 'condition.by is required'],
    [{ by: 101 }, 'condition.by must be at most 100: nothing falls further'],
    [{ within_hours: 5 }, 'condition.within_hours must be one of 1, 3, 6, 12, 24, 48, 72, 168, 336, 720'],
    [{ clears_at: 10 }, 'condition.clears_at must be less than `by`'],
    [{ is: 'moves' }, 'condition.is must be one of above, below, falls, rises'],
  ] as const) {
    const condition = { ...falls, ...changes }
    for (const { status, body } of [
      await post('', { name: 'x', condition }),
      await post('/try', { condition }),
    ])
      expect([status, (body as { msg: string }).msg]).toEqual([400, msg])
  }
})

it('the older markets of any number of rules are read with one statement', async () => {
  const { server, state } = alerts
  const market = openRuleMarket(server, { ...server, source: null })
  const rules = Array.from({ length: 1000 }, (_, n) => ({
    account_id: 1,
    silenced_until: null,
    state: {},
    condition: alertCondition.parse({ ...falls, by: 1 + (n % 99), within_hours: alertSpans[n % 10] }),
  }))
  const query = vi.spyOn(server.clickhouse, 'query')
  const ago = await readOlder(market, { slot: state.slot, interval }, rules)
  const texts = query.mock.calls.map(([{ query }]) => query)
  query.mockRestore()
  expect(texts.filter((text) => text.includes('arrayZip'))).toHaveLength(1)
  expect(texts.length).toBeLessThan(6)
  const filter = {
    gpu_name: 'RTX 4090',
    verified: 'all',
    hosting_type: 'all',
    num_gpus: 0,
    gpu_memory: 0,
  } as const
  expect([1, 720].map((hours) => ago(hours)?.market(filter)?.avail_median)).toEqual([0.4, undefined])
})
