import { afterAll, beforeAll, expect, it } from 'vitest'
import type { DryRunReplay } from '../../contract/autopilot-decisions.ts'
import { type MachineReplay, noReplays } from '../../contract/replay.ts'
import { noReplayWords } from '../../estimates/replay-words.ts'
import { createKey } from '../../platform/security/api-keys.ts'
import { selectRows } from '../../platform/stores/clickhouse.ts'
import { seeded } from '../../simulate/random.ts'
import { type ClassFlow, isOfClass } from '../../src/hosts/machines/compared.ts'
import { rateMarket } from '../../src/hosts/machines/market-rates.ts'
import { rateName, ratesOf } from '../../src/hosts/machines/pooled-rates.ts'
import { openRatesByDay } from '../../src/hosts/replay/rates-by-day.ts'
import { addSeen } from '../daily-market.ts'
import type { MachineAtSlot } from '../oracle/history.ts'
import { startServer, type TestServer } from '../server.ts'

// Forty machines of one class and one of another, for eleven days with a slot an hour. GPUs are rented and come back one by one.
const hour = 3600
const day = 24 * hour
const interval = hour
const newest = 1_795_132_800 + 1800
const hours = 11 * 24
const random = seeded(5)
const lonely = 41
/** The machine `gone` left nine days ago. The machine `young` is seen in the last ten hours only. */
const [gone, young] = [5, 6]
const seen: MachineAtSlot[] = Array.from({ length: 41 }, (_, n) => n + 1).flatMap((machine) => {
  const price = Number((0.3 + 0.005 * machine).toFixed(4))
  let rented = 0
  return Array.from({ length: hours }, (_, index) => {
    rented += random() < 0.08 * (4 - rented) ? 1 : 0
    rented -= random() < 0.05 * rented ? 1 : 0
    const slot = newest - (hours - 1 - index) * hour
    const isThere = machine === gone ? index < hours - 9 * 24 : machine !== young || index >= hours - 10
    return isThere
      ? [
          {
            slot,
            machine,
            host: 1001 + (machine % 2),
            gpu: 'RTX 4090',
            rig: 4,
            price,
            free: 4 - rented,
            rented: rented > 0 ? [{ gpus: rented, price }] : [],
            tflops: 1,
            dlperf: 1,
            verified: machine !== lonely,
            hosting: 'community' as const,
          },
        ]
      : []
  }).flat()
})

let server: TestServer
let host: string
let stranger: string
beforeAll(async () => {
  server = await startServer({ snapshotInterval: interval })
  const { postgres } = server
  await postgres.query('UPDATE slot_interval SET seconds = $1', [interval])
  for (const id of [1001, 1002])
    await postgres.query('INSERT INTO accounts (id, name, is_host) VALUES ($1, $2, true)', [id, `host ${id}`])
  host = (await createKey(postgres, { accountId: 1001 })).key
  stranger = (await createKey(postgres, { accountId: 1002 })).key
  for (const id of [2, 4, gone, young, lonely, 42])
    await postgres.query(
      `INSERT INTO machines (id, account_id, gpu_name, num_gpus, gpu_ram, tflops, dlperf, disk_space, verification, hosting_type)
       VALUES ($1, 1001, 'RTX 4090', 4, 24576, 300, 400, 1000, $2, 'community')`,
      [id, id === lonely ? 'unverified' : 'verified'],
    )
  await addSeen(server, seen)
})
afterAll(() => server?.close())

async function ask(id: number, query = ''): Promise<MachineReplay> {
  const { status, body } = await server.get(`/api/v0/metrics/machines/${id}/replay?${query}`, host)
  expect(status, JSON.stringify(body)).toBe(200)
  return body as MachineReplay
}
const end = Math.floor(newest / hour) * hour
const sumOf = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

it('a replay contains the actual income of a machine, from the observations', async () => {
  const { actual, expected, ...found } = await ask(2, 'days=5&price=0.35')
  const of = seen.filter(({ machine, slot }) => machine === 2 && slot >= end - 5 * day && slot < end)
  const earned = of.map(({ rented }) => sumOf(rented.map(({ gpus, price }) => gpus * price)))
  const days = [0, 1, 2, 3, 4].map((index) => sumOf(earned.slice(24 * index, 24 * index + 24)))
  expect(found).toMatchObject({
    from: end - 5 * day,
    to: end,
    covered_seconds: 5 * day,
    missing: null,
    asked: { rule: 'hold', price: 0.35, percentile: null, drop: null },
  })
  expect(actual).toEqual({
    earned: expect.closeTo(sumOf(earned), 9),
    worst_day: expect.closeTo(Math.min(...days), 9),
    idle_days: earned.filter((one) => one === 0).length / 24,
    occupancy: expect.closeTo(sumOf(of.map(({ free }) => 4 - free)) / (4 * of.length), 9),
    net: null,
  })
  // 0.08 ÷ (0.08 + 0.05) of the time at 0.35.
  expect(expected?.earned.low).toBeLessThan(0.35 * 4 * 120 * 0.615)
  expect(expected?.earned.high).toBeGreaterThan(0.35 * 4 * 120 * 0.615)
  expect(expected?.deciles).toHaveLength(9)
  expect(expected?.deciles).toEqual([...(expected?.deciles ?? [])].sort((a, b) => a - b))
  expect(found.reason).toMatch(/^At \$0\.35 it would have earned about \$\d.* It actually earned \$/)
})

it('a replay is repeatable, begins with the asking price, and follows rules', async () => {
  const [held, again] = [await ask(2), await ask(2)]
  expect(again).toEqual(held)
  expect(held.asked).toMatchObject({ rule: 'hold', price: 0.31 })
  const dropped = await ask(2, 'rule=drop&price=0.4&drop=20')
  expect(dropped.asked).toEqual({ rule: 'drop', price: 0.4, percentile: null, drop: 20 })
  const followed = await ask(2, 'rule=follow&percentile=50')
  expect(followed.asked).toEqual({ rule: 'follow', price: null, percentile: 50, drop: null })
  for (const { missing, expected } of [dropped, followed]) {
    expect(missing).toBeNull()
    expect(expected?.earned.value).toBeGreaterThan(0)
  }
  // About the median of the class, where a machine that holds 0.4 is as well.
  const middle = (await ask(2, 'price=0.4')).expected?.earned.value ?? 0
  expect(Math.abs((followed.expected?.earned.value ?? 0) / middle - 1)).toBeLessThan(0.15)
})

it('a dry run with a constant price equals the replay of this price', async () => {
  const made = await server.send('POST', '/api/v0/metrics/autopilot/rules', host, {
    name: 'dry',
    target: { kind: 'median' },
    floor: 0.1,
  })
  const { id } = (made.body as { rule: { id: number } }).rule
  const replayOf = async () =>
    (await server.get(`/api/v0/metrics/autopilot/rules/${id}/replay`, host)).body as {
      replay: DryRunReplay
    }
  expect(await replayOf()).toMatchObject({ replay: { from: null, machines: [], total: null } })
  await server.postgres.query(
    "UPDATE autopilot_rules SET stage = 'dry_run', dry_run_since = to_timestamp($1) WHERE id = $2",
    [end - 3 * day - 0.4, id],
  )
  const decide = (machine: number, at: number, price: number) =>
    server.postgres.query(
      `INSERT INTO autopilot_decisions (
         account_id, rule_id, machine_id, gpu_name, num_gpus, slot, kind, stage, old_price, new_price, reason, figures, state, expires_at, created_at
       )
       SELECT 1001, $1, $2, 'RTX 4090', 4, 0, 'change', 'dry_run', 0.31, $4, 'test', '{}', 'noted', to_timestamp($3::float8), to_timestamp($3::float8)`,
      [id, machine, at, price],
    )
  await decide(2, end - 3 * day, 0.4)
  await decide(young, end - 3 * day, 0.4)
  const held = await ask(2, 'days=3&price=0.4')
  const { replay } = await replayOf()
  const earned = { expected: held.expected?.earned, actual: held.actual?.earned }
  expect(replay).toMatchObject({
    rule_id: id,
    from: end - 3 * day - 1,
    to: end,
    total: earned,
    machines: [
      { machine_id: 2, changes: 1, covered_seconds: 3 * day, earned, missing: null },
      { machine_id: young, changes: 1, earned: null, missing: 'too_new' },
    ],
  })
  expect(replay.machines[0]?.reason).toMatch(/^With the prices of the dry run it would have earned about/)
  // A later change counts from its time on: until then the income at 0.31 is unchanged.
  await decide(2, end - day, 0.31)
  const changed = (await replayOf()).replay.total?.expected.value
  expect(changed).not.toBe(held.expected?.earned.value)
  expect((await server.get(`/api/v0/metrics/autopilot/rules/${id}/replay`, stranger)).status).toBe(404)
})

it('a replay uses only rates known at the start of each day', async () => {
  const machine = {
    gpu_name: 'RTX 4090',
    num_gpus: 4,
    gpu_memory: 0,
    verified: true,
    hosting_type: 'community',
  }
  const ratesAt = await openRatesByDay(server.clickhouse)(machine, { from: end - 3 * day, to: end })
  const flowsOf = (names: string[], to: number) =>
    selectRows<ClassFlow>(server.clickhouse, 'machines/class_flows', {
      names,
      from: to - 7 * day,
      to,
    })
  for (const time of [end - 3 * day, end - 1]) {
    const to = Math.floor(time / day) * day
    const [market, flows] = [await flowsOf([], to), await flowsOf([machine.gpu_name], to)]
    const name = rateName(flows, rateMarket(market), true)
    const expected = ratesOf(
      machine,
      flows.filter((row) => isOfClass(machine, row)),
      name,
    )
    const found = ratesAt(time)
    expect(found?.return_rate?.value).toBeCloseTo(expected.return_rate?.value ?? 0, 9)
    expect(found?.gpus_at_once).toBeCloseTo(expected.gpus_at_once, 6)
    for (const [position, rate] of expected.fill_rates.entries())
      expect(found?.fill_rates[position]?.high).toBeCloseTo(rate?.high ?? Number.NaN, 9)
  }
})

it('a replay contains the net income after costs', async () => {
  const costs = { kwh_price: 0.3, fee_percent: 25, watts_idle: 200, watts_load: 1700, other_per_month: 36.5 }
  expect((await server.send('PUT', '/api/v0/metrics/costs/machines/2', host, costs)).status).toBe(200)
  const { actual, expected, unknown_costs } = await ask(2, 'days=5&price=0.4')
  const { earned = 0, occupancy = 0, net = 0 } = actual ?? {}
  expect(net).toBeCloseTo(0.75 * earned - 5 * 24 * 0.3 * (0.2 + 1.5 * occupancy) - 5 * 1.2, 1)
  expect(expected?.net?.value).toBeLessThan(0.75 * (expected?.earned.value ?? 0))
  expect(unknown_costs).toEqual(['purchase_price', 'months'])
  // It drops no further than the floor, 1.5 × 0.3 ÷ 0.75 ÷ 4.
  const { missing } = await ask(2, 'rule=drop&price=0.31&drop=50')
  expect(missing).toBeNull()
})

it('a replay without enough data gives the reason and the next step', async () => {
  const missingOf = async (id: number, query = '') => {
    const { missing, reason, expected } = await ask(id, query)
    expect(expected).toBeNull()
    expect(reason).toBe(missing && noReplayWords[missing])
    return missing
  }
  expect(await missingOf(42)).toBe('not_seen')
  expect(await missingOf(gone)).toBe('not_seen')
  expect(await missingOf(young)).toBe('too_new')
  expect(await missingOf(2, 'price=40')).toBe('few_as_dear')
  expect(await missingOf(lonely, 'rule=follow')).toBe('few_in_class')
  for (const one of noReplays) expect(noReplayWords[one]).toMatch(/\. (Bring|Ask|Name) |; ask |instead\.$/)
})

it('a replay of a foreign machine or an impossible range is refused', async () => {
  const of = (id: string, key: string) => server.get(`/api/v0/metrics/machines/${id}/replay`, key)
  for (const [id, key] of [
    ['2', stranger],
    ['999999', host],
    ['none', host],
  ] as const)
    expect(await of(id, key)).toMatchObject({
      status: 404,
      body: { success: false, error: 'not_found', msg: 'There is no such machine' },
    })
  for (const query of [
    'days=0',
    'days=31',
    'rule=guess',
    'price=0',
    'price=x',
    'percentile=100',
    'drop=51',
    'drop=0.5',
  ]) {
    const { status, body } = await server.get(`/api/v0/metrics/machines/2/replay?${query}`, host)
    expect([query, status, body]).toEqual([
      query,
      400,
      {
        success: false,
        error: 'invalid_args',
        msg: expect.stringContaining(`${query.split('=')[0]} must be`),
      },
    ])
  }
})
