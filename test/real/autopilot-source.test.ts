import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AutopilotDecision } from '../../contract/autopilot-decisions.ts'
import { runAutopilot } from '../../src/autopilot/run.ts'
import { openSender } from '../../src/rules/webhook/send.ts'
import { autopilotPath, median } from '../autopilot.ts'
import { fleetAt, openClaimed, serveClaimed } from '../claimed.ts'
import { hostMachine } from '../host-accounts.ts'
import type { TestServer } from '../server.ts'

// A rule sets the price of a machine at the marketplace of a source, with the key of the claim.

const key = 'the-key-of-host-50-at-vast'
const machine = 1018
const interval = 300

let site: Awaited<ReturnType<typeof openClaimed>>
let server: TestServer
beforeAll(async () => {
  site = await openClaimed()
  server = await serveClaimed(site)
})
afterAll(async () => {
  await server?.app.close()
  await site?.databases.clock.release()
  await site?.close()
})

const rule = { ...median, source: 'vast', machine_id: machine }
const send = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
  server.send(method, path, site.keys.host, body)
const put = (more: object = {}) =>
  send('PUT', '/api/v0/metrics/claims', { source: 'vast', machines: [machine, 1000], ...more })
const run = (more: object = {}) =>
  runAutopilot({
    ...server,
    snapshotInterval: interval,
    markets: [site.market],
    sendHook: openSender({ privateHosts: [] }),
    ...more,
  })
const ledger = async () =>
  ((await send('GET', `${autopilotPath}/decisions`)).body as { decisions: AutopilotDecision[] }).decisions
const stopReason = async () => {
  const { body } = await send('GET', `${autopilotPath}/rules`)
  return (body as { rules: { stop_reason: string | null }[] }).rules[0]?.stop_reason
}
const later = () =>
  server.postgres.query("UPDATE autopilot_decisions SET next_try_at = rackrate_now() - interval '1 second'")
const accounts = () => site.other.accounts
/** The machine as its marketplace has it. */
const listed = () => accounts().list[0]?.machines.find(({ id }) => id === machine)

/** Makes a rule, as if its dry run were long enough, and lets it go live. */
async function goLive(live: object = rule) {
  const made = await send('POST', `${autopilotPath}/rules`, live)
  expect(made.status, JSON.stringify(made.body)).toBe(200)
  const { id } = (made.body as { rule: { id: number } }).rule
  await server.postgres.query(
    "UPDATE autopilot_rules SET stage = 'dry_run', dry_run_since = rackrate_now() - interval '25 hours'",
  )
  return send('PUT', `${autopilotPath}/rules/${id}/stage`, { stage: 'live' })
}

beforeEach(async () => {
  for (const table of ['autopilot_decisions', 'autopilot_rules', 'autopilot_accounts', 'outbox', 'claims'])
    await server.postgres.query(`DELETE FROM ${table}`)
  await server.postgres.query("UPDATE alert_progress SET slot = 0 WHERE what LIKE 'autopilot%'")
  const price = fleetAt(11, true).find(({ id }) => id === machine)?.price ?? 0
  Object.assign(accounts(), { fault: undefined, faultPath: '', list: [], calls: [], increases: [] })
  accounts().add(key, [hostMachine(machine, { listed_gpu_cost: price })])
})

it('goes live only with a key to which the marketplace shows the machine', async () => {
  expect(await put()).toMatchObject({ status: 200 })
  expect(await goLive()).toMatchObject({
    status: 422,
    body: { error: 'not_ready', msg: expect.stringContaining('give the claim your key of the marketplace') },
  })
  expect(await put({ key })).toMatchObject({ status: 200 })
  await server.postgres.query('DELETE FROM autopilot_rules')
  expect(await goLive()).toMatchObject({ status: 200 })
  const foreign = { source: 'vast', changes: [{ machine_id: 1000, from: 0.4, price: 0.41 }] }
  expect(await send('POST', `${autopilotPath}/apply`, foreign)).toMatchObject({
    status: 422,
    body: { msg: 'The marketplace does not show machine 1000 to the key of the claim' },
  })
})

it('the rule stops with a reason when the machine is no longer claimed', async () => {
  await put({ key })
  await goLive()
  await send('PUT', '/api/v0/metrics/claims', { source: 'vast', machines: [1000], key: null })
  await run()
  expect(await ledger()).toEqual([])
  expect(await stopReason()).toBe(`Machine ${machine} no longer belongs to the account`)
  expect(accounts().calls.filter(({ method }) => method === 'PUT')).toEqual([])
})

it('sets the price once, and sends every other term back as it was', async () => {
  await put({ key })
  await goLive()
  const before = structuredClone(listed())
  await run()
  const [made] = await ledger()
  expect(made).toMatchObject({ state: 'read_back', adapter: 'api', source: 'vast', attempts: 1 })
  expect(made?.read_price).toBe(made?.new_price)
  expect(made?.new_price).not.toBe(before?.listed_gpu_cost)
  expect(listed()).toEqual({ ...before, listed_gpu_cost: made?.new_price })
  // Without a new slot, nothing is decided again.
  await run()
  expect(await ledger()).toHaveLength(1)
  expect(accounts().calls.filter(({ method }) => method === 'PUT')).toHaveLength(1)
})

describe('a machine with a running rental', () => {
  const until = 1_900_000_000
  const asks = () => accounts().calls.filter(({ method }) => method === 'PUT')
  /** The rule aims above the price. */
  const raising = { ...rule, target: { kind: 'percentile', percentile: 99 }, largest_step: 0.1 }
  const makeLive = async () => {
    await put({ key })
    expect((await goLive(raising)).status).toBe(200)
  }

  it.each([
    ['D D R I', { on_demand: 2, reserved: 1, interruptible: 1, free: 0, other: 0 }],
    ['D D - - ', { on_demand: 2, reserved: 0, interruptible: 0, free: 2, other: 0 }],
    ['D D O O', { on_demand: 2, reserved: 0, interruptible: 0, free: 0, other: 2 }],
  ])('%s: its price is not raised by a rule, and the rule goes on', async (gpu_occupancy, rented) => {
    Object.assign(listed() ?? {}, { gpu_occupancy, client_end_date: until + 0.5, earn_hour: 1.2 })
    await makeLive()
    await run()
    expect(await ledger()).toMatchObject([
      { kind: 'refusal', refusal: 'running_rental', reason: expect.stringContaining('on 2030-03-17') },
    ])
    expect(asks()).toEqual([])
    expect(await stopReason()).toBeNull()
    const { body } = await send('GET', '/api/v0/metrics/machines?source=vast')
    const { machines } = body as { machines: { id: number; marketplace: object | null }[] }
    expect(machines.find(({ id }) => id === machine)?.marketplace).toMatchObject({
      rented,
      rented_until: until,
      earn_hour: 1.2,
    })
  })

  it('is not raised when the rental began after the decision, and the rule goes on', async () => {
    await makeLive()
    // The machine is free at the decision, and rented when the marketplace shows it before the call.
    Object.assign(listed() ?? {}, { gpu_occupancy: 'D x x x' })
    await run()
    expect(await ledger()).toMatchObject([
      { state: 'failed', answer: expect.stringContaining('a request to the renter') },
    ])
    expect(asks()).toEqual([])
    expect(await stopReason()).toBeNull()
  })

  it('is raised by hand, which is a request that the renter accepts or refuses', async () => {
    const own = listed()
    if (!own) throw new Error('the machine is missing')
    Object.assign(own, { gpu_occupancy: 'D D D D', earn_hour: 1.6 })
    await makeLive()
    const from = own.listed_gpu_cost ?? 0
    const price = Number((from * 1.1).toFixed(4))
    const answer = await send('POST', `${autopilotPath}/apply`, {
      source: 'vast',
      changes: [{ machine_id: machine, from, price }],
    })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    expect(accounts().increases).toEqual([{ machine, old_price: from, new_price: price, state: 'pending' }])
    accounts().decide(own, 'refused')
    expect(own).toMatchObject({ listed_gpu_cost: price, earn_hour: 1.6 })
  })
})

it('finds out by the price whether a change was made whose answer was lost', async () => {
  await put({ key })
  await goLive()
  Object.assign(accounts(), { fault: 'lost answer', faultPath: 'create_asks' })
  await run()
  expect(await ledger()).toMatchObject([{ state: 'called' }])
  accounts().fault = undefined
  await later()
  await run()
  expect(await ledger()).toMatchObject([{ state: 'read_back', attempts: 2 }])
  expect(accounts().calls.filter(({ method }) => method === 'PUT')).toHaveLength(1)
})

it('the rule stops with a reason when the marketplace answers and does nothing', async () => {
  await put({ key })
  await goLive()
  Object.assign(accounts(), { fault: 'deaf', faultPath: 'create_asks' })
  await run()
  expect(await ledger()).toMatchObject([{ state: 'answered' }])
  await server.postgres.query(
    "UPDATE autopilot_decisions SET expires_at = rackrate_now() - interval '1 second'",
  )
  await later()
  await run()
  expect(await ledger()).toMatchObject([
    {
      state: 'failed',
      answer: expect.stringMatching(/^The marketplace answered, and did not change the price/),
    },
  ])
  expect(await stopReason()).toMatch(/did not change the price/)
})

it.each([
  ['with a revoked key', () => accounts().revoke(key), /refused the key/],
  [
    'of a machine that somebody else has repriced',
    () => void Object.assign(listed() ?? {}, { listed_gpu_cost: 0.77 }),
    /somebody else has changed it/,
  ],
  [
    'whose other terms it cannot send back',
    () => void Object.assign(listed() ?? {}, { listed_storage_cost: null }),
    /would lose them/,
  ],
])('changes nothing %s, and stops', async (_, happens, reason) => {
  await put({ key })
  await goLive()
  happens()
  await run()
  expect(await ledger()).toMatchObject([{ state: 'failed', answer: expect.stringMatching(reason) }])
  expect(await stopReason()).toMatch(reason)
  expect(accounts().calls.filter(({ method }) => method === 'PUT')).toEqual([])
})

it.each([
  ['set -e; echo wrong password >&2; exit 3', 'The command failed with exit code 3: wrong password'],
  [
    'kill -9 $$',
    'The command was ended by SIGKILL. The price may or may not have changed. Check the machine',
  ],
])('a command that fails makes the decision fail with its reason, once: %s', async (script, answer) => {
  await put({ key })
  await goLive()
  const autopilotCommand = ['/bin/sh', '-c', script]
  await run({ autopilotCommand })
  await later()
  await run({ autopilotCommand })
  expect(await ledger()).toMatchObject([{ state: 'failed', adapter: 'command', attempts: 1, answer }])
  expect(await stopReason()).toBe(`${answer}.`)
})
