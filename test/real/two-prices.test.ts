import { afterAll, beforeAll, expect, it } from 'vitest'
import type { z } from 'zod'
import type { ownMachine } from '../../contract/machines.ts'
import { runAutopilot } from '../../src/autopilot/run.ts'
import { openSender } from '../../src/rules/webhook/send.ts'
import { autopilotPath, median } from '../autopilot.ts'
import { fleetAt, openClaimed, serveClaimed } from '../claimed.ts'
import { openAccount, readTurns } from '../keyed-claims.ts'
import type { TestServer } from '../server.ts'

// A marketplace keeps a part of what renters pay: a host who asks $0.30 is listed at $0.40.

type OwnMachine = z.infer<typeof ownMachine>

const key = 'the-key-of-host-50-at-vast'
const machine = 1018
const interval = 300

let site: Awaited<ReturnType<typeof openClaimed>>
let server: TestServer
beforeAll(async () => {
  site = await openClaimed()
  site.other.share = 0.75
  server = await serveClaimed(site)
})
afterAll(async () => {
  await server?.app.close()
  await site?.databases.clock.release()
  await site?.close()
})

const send = (method: 'GET' | 'POST' | 'PUT', path: string, body?: object) =>
  server.send(method, path, site.keys.host, body)
const claim = (more: object) =>
  send('PUT', '/api/v0/metrics/claims', { source: 'vast', machines: [machine, 1000], ...more })
async function own(): Promise<OwnMachine | undefined> {
  const { body } = await send('GET', `/api/v0/metrics/machines?source=vast&id=${machine}`)
  return (body as { machines: OwnMachine[] }).machines[0]
}
const renters = () => fleetAt(11, true).find(({ id }) => id === machine)?.price ?? 0
const costs = { kwh_price: 0.1, watts_idle: 100, watts_load: 1500 }
const enter = (fee_percent: number | null) =>
  send('PUT', '/api/v0/metrics/costs?source=vast', { ...costs, fee_percent, confirm_unusual: true })

it('prices and incomes of an own machine are the host\u2019s part, from the fee or from the key', async () => {
  await claim({})
  await enter(0)
  const whole = await own()
  expect(whole).toMatchObject({ price: renters(), host_share: { share: 1, basis: 'fee' } })
  await enter(25)
  const assumed = await own()
  expect(assumed).toMatchObject({
    renter_price: renters(),
    host_share: { share: 0.75, basis: 'fee', since: null },
  })
  expect(assumed?.price).toBeCloseTo(0.75 * renters(), 9)
  // The place among renters' prices does not depend on the share.
  expect(assumed).toMatchObject({
    avail_percentile: whole?.avail_percentile,
    figures: { position: whole?.figures?.position, comp_set: whole?.figures?.comp_set },
  })
  for (const of of [
    (one?: OwnMachine) => one?.figures?.income_30d,
    (one?: OwnMachine) => one?.figures?.since_change?.earned,
    (one?: OwnMachine) => one?.figures?.price_history.price.at(-1),
    (one?: OwnMachine) => one?.figures?.offered.price.at(0),
    (one?: OwnMachine) => one?.rented_price ?? 0,
  ])
    expect(of(assumed)).toBeCloseTo(0.75 * (of(whole) ?? Number.NaN), 6)
  // The floor is power alone: the fee is not in the prices.
  expect(assumed?.figures?.costs.floor).toBe(whole?.figures?.costs.floor)

  await enter(null)
  const account = openAccount(site, key, [machine])
  for (const listing of account.machines) listing.listed_gpu_cost = 0.75 * renters()
  expect(await claim({ key })).toMatchObject({ status: 200 })
  expect(await own()).toMatchObject({
    price: 0.75 * renters(),
    renter_price: renters(),
    host_share: { share: 0.75, basis: 'key', since: site.slotAt(11) + 60 },
    figures: { costs: { unknown: expect.not.arrayContaining(['fee_percent']) } },
  })
})

it('a rule compares hosts\u2019 prices, and sends the host\u2019s price', async () => {
  const made = await send('POST', `${autopilotPath}/rules`, {
    ...median,
    source: 'vast',
    machine_id: machine,
  })
  const { id } = (made.body as { rule: { id: number } }).rule
  await server.postgres.query(
    "UPDATE autopilot_rules SET stage = 'dry_run', dry_run_since = rackrate_now() - interval '25 hours'",
  )
  expect(await send('PUT', `${autopilotPath}/rules/${id}/stage`, { stage: 'live' })).toMatchObject({
    status: 200,
  })
  await runAutopilot({
    ...server,
    snapshotInterval: interval,
    markets: [site.market],
    sendHook: openSender({ privateHosts: [] }),
  })
  const { body } = await send('GET', `${autopilotPath}/decisions`)
  const [decision] = (body as { decisions: { old_price: number; new_price: number }[] }).decisions
  expect(decision).toMatchObject({ state: 'read_back', adapter: 'api', old_price: 0.75 * renters() })
  const listed = site.other.accounts.list[0]?.machines[0]?.listed_gpu_cost
  expect(listed).toBe(decision?.new_price)
  // The median of others' prices in the host's part: far below what renters pay.
  expect(listed).toBeLessThan(0.9 * Math.min(...fleetAt(11, true).map(({ price }) => price)))
})

it('a share that changes counts after two readings, and not while the host changes the price', async () => {
  const { clock, postgres } = site.databases
  const shares = async () =>
    (await postgres.query('SELECT share::float8, since::float8 FROM claim_shares ORDER BY since')).rows
  const [listing] = site.other.accounts.list[0]?.machines ?? []
  const asks = Number(listing?.listed_gpu_cost)
  const seenAt = async (step: number, share: number) => {
    const rigs = fleetAt(11, true).map((rig) => (rig.id === machine ? { ...rig, price: asks / share } : rig))
    site.other.time = site.slotAt(step)
    await site.take(step, rigs)
    await site.load()
  }
  // The host has just changed the price, and renters' prices are seen later: another ratio, and no other share.
  await readTurns(site, 3)
  expect(await shares()).toHaveLength(1)
  await seenAt(12, 0.75)
  await clock.advance(3 * 3600)
  await readTurns(site)
  await seenAt(60, 0.8)
  await readTurns(site)
  expect(await shares()).toHaveLength(1)
  await readTurns(site)
  expect(await shares()).toMatchObject([{ share: 0.75 }, { share: 0.8 }])
  expect(await own()).toMatchObject({ host_share: { share: 0.8, basis: 'key' }, price: asks })
})
