import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AutopilotDecision } from '../../contract/autopilot-decisions.ts'
import { createKey, revokeKey } from '../../platform/security/api-keys.ts'
import { one } from '../../platform/stores/rows.ts'
import { runAutopilot } from '../../src/autopilot/run.ts'
import { openSender } from '../../src/rules/webhook/send.ts'
import { autopilotPath, median } from '../autopilot.ts'
import { fleetAt, openClaimed } from '../claimed.ts'
import { hostMachine } from '../host-accounts.ts'
import { startReceiver } from '../receiver.ts'
import { startServer, type TestServer } from '../server.ts'

// The right to set a price in the market of a source, at each decision and right before each call, for each way of setting it.

const marketKey = 'the-key-of-host-50-at-vast'
const own = 1018
const foreign = 1000
const interval = 300

let site: Awaited<ReturnType<typeof openClaimed>>
let server: TestServer
let receiver: Awaited<ReturnType<typeof startReceiver>>
let account = 0
beforeAll(async () => {
  receiver = await startReceiver()
  site = await openClaimed()
  await site.take(11, fleetAt(11, true))
  await site.load()
  await site.databases.clock.hold(site.slotAt(11) + 60)
  const { databases, market } = site
  const privateHosts = ['127.0.0.1']
  server = await startServer({ databases, markets: [market], seriesMaxAgeMs: 0, privateHosts })
  const { rows } = await server.postgres.query<{ account_id: number }>(
    'SELECT account_id FROM api_keys WHERE prefix = $1',
    [site.keys.host.split('_')[1]],
  )
  account = one(rows).account_id
})
afterAll(async () => {
  receiver?.close()
  await server?.app.close()
  await site?.databases.clock.release()
  await site?.close()
})

const send = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object, by = site.keys.host) =>
  server.send(method, path, by, body)
const claim = (more: object = {}, by?: string) =>
  send('PUT', '/api/v0/metrics/claims', { source: 'vast', machines: [own], ...more }, by)
const ledger = async (by?: string) => {
  const { body } = await send('GET', `${autopilotPath}/decisions`, undefined, by)
  return (body as { decisions: AutopilotDecision[] }).decisions
}
const accounts = () => site.other.accounts
const priceOf = (machine: number) => fleetAt(11, true).find(({ id }) => id === machine)?.price ?? 0

/** Each way of setting a price of a source. */
const ways = ['command', 'webhook', 'api'] as const
type Way = (typeof ways)[number]

/** The machines whose price a way has set, in order. */
const called = (way: Way): number[] =>
  way === 'api'
    ? accounts()
        .calls.filter(({ method }) => method === 'PUT')
        .map(({ body }) => Number(body.machine))
    : receiver.received.map(({ path, body }) =>
        way === 'command' ? Number(path.slice(1)) : JSON.parse(body).data.machine_id,
      )
/** A program that requests the path of the machine from the receiver. */
const commandOf = (way: Way) =>
  way === 'command' ? [process.execPath, '-e', `fetch('${receiver.url}/{machine}')`] : undefined

const run = (way: Way) =>
  runAutopilot({
    ...server,
    snapshotInterval: interval,
    markets: [site.market],
    sendHook: openSender({ privateHosts: ['127.0.0.1'] }),
    autopilotCommand: commandOf(way),
  })

/** Makes a rule on all machines of the source, as if its dry run were long enough, and lets it go live. */
async function goLive(way: Way, by = site.keys.host): Promise<void> {
  const webhook_url = way === 'webhook' ? receiver.url : null
  const made = await send('POST', `${autopilotPath}/rules`, { ...median, source: 'vast', webhook_url }, by)
  expect(made.status, JSON.stringify(made.body)).toBe(200)
  const { id } = (made.body as { rule: { id: number } }).rule
  await server.postgres.query(
    "UPDATE autopilot_rules SET stage = 'dry_run', dry_run_since = rackrate_now() - interval '25 hours' WHERE id = $1",
    [id],
  )
  const { status, body } = await send('PUT', `${autopilotPath}/rules/${id}/stage`, { stage: 'live' }, by)
  expect(status, JSON.stringify(body)).toBe(200)
}

/** Holds decisions before they are called, or releases them. */
const hold = (isHeld: boolean) =>
  server.postgres.query(
    `ALTER TABLE autopilot_decisions ALTER COLUMN next_try_at SET DEFAULT rackrate_now()${isHeld ? " + interval '1 minute'" : ''}`,
  )
const letGo = async () => {
  await hold(false)
  await server.postgres.query('UPDATE autopilot_decisions SET next_try_at = rackrate_now()')
}

beforeEach(async () => {
  await hold(false)
  for (const table of ['autopilot_decisions', 'autopilot_rules', 'autopilot_accounts', 'claims'])
    await server.postgres.query(`DELETE FROM ${table}`)
  await server.postgres.query("UPDATE alert_progress SET slot = 0 WHERE what LIKE 'autopilot%'")
  Object.assign(accounts(), { fault: undefined, faultPath: '', list: [], calls: [] })
  accounts().add(marketKey, [hostMachine(own, { listed_gpu_cost: priceOf(own) })])
  receiver.received.length = 0
  expect(await claim({ key: marketKey })).toMatchObject({ status: 200, body: { claim: { proven: true } } })
})

describe.each(ways)('a price set by %s', (way) => {
  it('the price of a proven machine is set', async () => {
    await goLive(way)
    await run(way)
    expect(await ledger()).toMatchObject([{ machine_id: own, state: 'read_back', adapter: way }])
    expect(called(way)).toEqual([own])
  })

  it('a foreign machine that a claim takes in later is refused, and the proven one is set', async () => {
    await goLive(way)
    expect(await claim({ machines: [own, foreign] })).toMatchObject({ body: { claim: { proven: false } } })
    await run(way)
    expect((await ledger()).toSorted((one, other) => one.machine_id - other.machine_id)).toMatchObject([
      {
        machine_id: foreign,
        kind: 'refusal',
        refusal: 'not_proven',
        reason: `The marketplace does not show machine ${foreign} to the key of the claim.`,
      },
      { machine_id: own, kind: 'change', state: 'read_back' },
    ])
    expect(called(way)).toEqual([own])
  })

  it.each<[string, () => Promise<unknown> | unknown, object]>([
    ['the key of the claim is forgotten', () => claim({ key: null }), { refusal: 'not_proven' }],
    [
      'the marketplace has refused the key',
      () => server.postgres.query('UPDATE claim_keys SET is_refused = true'),
      { refusal: 'not_proven' },
    ],
    [
      'the marketplace has shown the machine no more',
      () => server.postgres.query('UPDATE claim_machines SET is_shown = false'),
      { refusal: 'not_proven' },
    ],
  ])('nothing is decided after %s', async (_, happens, expected) => {
    await goLive(way)
    await happens()
    await run(way)
    expect(await ledger()).toMatchObject([{ machine_id: own, kind: 'refusal', state: 'noted', ...expected }])
    expect(called(way)).toEqual([])
  })

  it.each<[string, () => Promise<unknown> | unknown, RegExp]>([
    [
      'the claim is removed',
      () => send('DELETE', '/api/v0/metrics/claims?source=vast'),
      /claims no machines of this source/,
    ],
    ['the key of the claim is forgotten', () => claim({ key: null }), /is not proven/],
    ['the marketplace refuses the key', () => accounts().revoke(marketKey), /refuse[ds] the key/],
    [
      'the marketplace shows the machine no more',
      () => accounts().list[0]?.machines.splice(0, 1, hostMachine(1024)),
      /does not show (the )?machine|no longer shows the machine/,
    ],
    [
      'the account stops its rules',
      () => send('PUT', `${autopilotPath}/stop`, { stopped: true }),
      /has stopped/,
    ],
  ])('nothing is called where %s between decision and call', async (_, happens, reason) => {
    await goLive(way)
    await hold(true)
    await run(way)
    expect(await ledger()).toMatchObject([{ state: 'decided', machine_id: own }])
    await happens()
    await letGo()
    await run(way)
    expect(await ledger()).toMatchObject([{ state: 'failed', answer: expect.stringMatching(reason) }])
    expect(called(way)).toEqual([])
  })

  it('nothing is called where the API key of the rule is revoked between decision and call', async () => {
    const { key } = await createKey(server.postgres, { accountId: account })
    await goLive(way, key)
    await hold(true)
    await run(way)
    await revokeKey(server.postgres, `${key.split('_')[1]}`)
    await letGo()
    await run(way)
    expect(await ledger()).toMatchObject([{ state: 'failed', answer: 'The API key that wrote it has ended' }])
    expect(called(way)).toEqual([])
  })

  it('nothing is called while the marketplace cannot be asked for the machine', async () => {
    await goLive(way)
    await hold(true)
    await run(way)
    Object.assign(accounts(), { fault: 'error', faultPath: '/machines' })
    await letGo()
    await run(way)
    expect(called(way)).toEqual([])
    accounts().fault = undefined
    await letGo()
    await run(way)
    expect(await ledger()).toMatchObject([{ state: 'read_back' }])
    expect(called(way)).toEqual([own])
  })
})

describe('two accounts on one machine', () => {
  const other = () => site.keys.other
  /** A rule of the other account that is live regardless of its claim, as if it had gone live before. */
  async function otherGoesLive() {
    const rule = { ...median, source: 'vast', webhook_url: receiver.url }
    expect((await send('POST', `${autopilotPath}/rules`, rule, other())).status).toBe(200)
    await server.postgres.query("UPDATE autopilot_rules SET stage = 'live' WHERE account_id <> $1", [account])
  }

  it('a claim without proof opens no decision, and holds up the owner in nothing', async () => {
    await claim({}, other())
    await otherGoesLive()
    receiver.handlers.answer = (response) => response.destroy()
    await run('webhook')
    receiver.handlers.answer = (response) => response.end()
    expect(await ledger(other())).toMatchObject([{ kind: 'refusal', refusal: 'not_proven', state: 'noted' }])
    const changes = [{ machine_id: own, from: priceOf(own), price: priceOf(own) * 1.05 }]
    const applied = await send('POST', `${autopilotPath}/apply`, { source: 'vast', changes })
    expect(applied.body).toMatchObject({ decisions: [{ kind: 'refusal', refusal: 'no_floor' }] })
    expect(called('webhook')).toEqual([])
  })

  it('decisions of both are open side by side if both claims are proven', async () => {
    expect((await claim({ key: marketKey }, other())).status).toBe(200)
    await goLive('webhook')
    await goLive('webhook', other())
    await hold(true)
    await run('webhook')
    for (const by of [site.keys.host, other()])
      expect(await ledger(by)).toMatchObject([{ state: 'decided', machine_id: own }])
  })
})

describe('a price set by hand', () => {
  const apply = (machines: readonly number[]) =>
    send('POST', `${autopilotPath}/apply`, {
      source: 'vast',
      changes: machines.map((id) => ({ machine_id: id, from: priceOf(id), price: priceOf(id) * 1.05 })),
    })
  const withFloor = () =>
    send('POST', `${autopilotPath}/rules`, { ...median, name: 'floor', source: 'vast', floor: 0.1 })

  it('a request with a foreign machine is refused, and names it', async () => {
    await withFloor()
    await claim({ machines: [own, foreign] })
    expect(await apply([own, foreign])).toMatchObject({
      status: 422,
      body: { msg: `The marketplace does not show machine ${foreign} to the key of the claim` },
    })
    expect(await apply([own])).toMatchObject({ body: { decisions: [{ state: 'read_back' }] } })
    expect(called('api')).toEqual([own])
  })

  it('a machine whose claim is removed is as one that does not exist', async () => {
    await withFloor()
    await send('DELETE', '/api/v0/metrics/claims?source=vast')
    expect((await apply([own])).status).toBe(404)
    expect(called('api')).toEqual([])
  })

  it('a machine with a change on its way has a refusal, and the answer has each machine', async () => {
    await goLive('webhook')
    await hold(true)
    await run('webhook')
    expect(await apply([own])).toMatchObject({
      status: 200,
      body: { decisions: [{ machine_id: own, kind: 'refusal', refusal: 'on_its_way', state: 'noted' }] },
    })
  })

  it('a change is not undone after the key of the claim is forgotten', async () => {
    await withFloor()
    const { body } = await apply([own])
    const [made] = (body as { decisions: AutopilotDecision[] }).decisions
    await claim({ key: null })
    accounts().calls.length = 0
    expect(await send('POST', `${autopilotPath}/decisions/${made?.id}/undo`, {})).toMatchObject({
      status: 422,
      body: { error: 'not_ready', msg: expect.stringMatching(/is not proven/) },
    })
    expect(called('api')).toEqual([])
  })

  it('a call that waits is not made after the marketplace refuses the key', async () => {
    await withFloor()
    await hold(true)
    expect(await apply([own])).toMatchObject({ body: { decisions: [{ kind: 'hand', state: 'decided' }] } })
    accounts().revoke(marketKey)
    await letGo()
    await run('api')
    expect((await ledger())[0]).toMatchObject({
      state: 'failed',
      answer: expect.stringMatching(/refuse[ds] the key/),
    })
    expect(called('api')).toEqual([])
  })
})
