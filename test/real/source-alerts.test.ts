import { afterAll, beforeAll, expect, it } from 'vitest'
import type { AlertMessage, AlertRule, AlertTried } from '../../contract/alerts.ts'
import { writeChanges } from '../../ingest/list-prices.ts'
import { runRules } from '../../src/alerts/run.ts'
import { createKeyFor } from '../../src/companion/keys/key-for-role.ts'
import { fleetAt } from '../claimed.ts'
import { startServer, type TestServer } from '../server.ts'
import { openTwoSources } from '../two-sources.ts'

const path = '/api/v0/alerts'
const interval = 300

let sources: Awaited<ReturnType<typeof openTwoSources>>
let server: TestServer
let host: string
beforeAll(async () => {
  sources = await openTwoSources()
  const { databases, market } = sources
  server = await startServer({ databases, markets: [market], seriesMaxAgeMs: 0 })
  host = (await createKeyFor(databases.postgres, { role: 'host' })).key
  await land(0)
})
afterAll(async () => {
  await server?.app.close()
  await sources?.close()
})

/** Loads a slot of both markets. `price`: the price of machine 1000 at the second source. */
async function land(step: number, price = 0.44): Promise<number> {
  await sources.take(
    step,
    fleetAt(1).map((rig) => (rig.id === 1000 ? { ...rig, price } : rig)),
  )
  await sources.load()
  return run()
}
const run = () => runRules({ ...sources.databases, snapshotInterval: interval, markets: [sources.market] })
const write = (body: object, method: 'POST' | 'PUT' = 'POST', to = '') =>
  server.send(method, `${path}${to}`, host, { name: 'rule', ...body })
const rules = async () => ((await server.get(path, host)).body as { rules: AlertRule[] }).rules
const messages = async () =>
  ((await server.get(`${path}/messages`, host)).body as { messages: AlertMessage[] }).messages
const claim = (hosts: number[]) =>
  server.send('PUT', '/api/v0/metrics/claims', host, { source: 'vast', hosts })

const price = { kind: 'machine_price', slots: 1 }

it('rules on own machines of a source report them once, and stop without a claim', async () => {
  await claim([50])
  expect((await write({ condition: price, source: 'nope' })).body).toMatchObject({
    msg: 'source must be exporter or vast',
  })
  for (const [source, machine_id] of [
    ['vast', 1001],
    [null, 1000],
    ['exporter', 1000],
  ])
    expect((await write({ condition: { ...price, machine_id }, source })).status).toBe(404)
  const { rule } = (await write({ condition: price, source: 'vast' })).body as { rule: AlertRule }
  expect(rule).toMatchObject({ source: 'vast', status: 'ok' })
  const first = (await write({ condition: price, source: 'exporter' })).body as { rule: AlertRule }
  expect(first.rule).toMatchObject({ source: null, stop_reason: 'The account has no active machine' })
  await server.send('DELETE', `${path}/${first.rule.id}`, host)

  const tried = (await server.send('POST', `${path}/try`, host, { condition: price, source: 'vast' })).body
  expect(tried as AlertTried).toMatchObject({ slots: 1, fired: 0 })
  expect((await server.send('POST', `${path}/try`, host, { condition: price })).status).toBe(403)

  expect(await land(1, 2)).toBe(1)
  expect(await run()).toBe(0)
  const [message] = await messages()
  expect(message).toMatchObject({
    rule_id: rule.id,
    source: 'vast',
    slot: sources.slotAt(1),
    entries: [{ what: 'fired', machine_id: 1000, value: 2, recommended: { price: null, basis: 'gross' } }],
  })
  expect(message?.entries[0]?.text).toMatch(/^Machine 1000 asks \$2, which is above p90 of its class/)
  expect(await rules()).toMatchObject([{ status: 'firing', firing: [{ machine_id: 1000 }] }])

  await server.send('DELETE', '/api/v0/metrics/claims?source=vast', host)
  expect(await rules()).toMatchObject([
    { status: 'stopped', stop_reason: 'The account claims no machines of this source' },
  ])
  expect(await land(2)).toBe(0)
  await claim([50])
  // The rule continues from its state: the price is back in its class.
  expect(await land(3)).toBe(1)
  expect((await messages())[0]?.entries).toMatchObject([{ what: 'resolved', machine_id: 1000 }])
})

it('rules on a figure and on the age of the data are about the market of their source', async () => {
  await claim([50])
  for (const { id } of await rules()) await server.send('DELETE', `${path}/${id}`, host)
  const above = {
    kind: 'statistic',
    gpu_name: 'RTX 4090',
    verified: 'all',
    statistic: 'total_gpus',
    is: 'above',
  }
  const count = fleetAt(1)
    .filter(({ gpu }) => gpu === 'RTX 4090')
    .reduce((sum, { gpus }) => sum + gpus, 0)
  await write({ name: 'gpus', source: 'vast', condition: { ...above, limit: count - 1, slots: 1 } })
  await write({ name: 'age', source: 'vast', condition: { kind: 'data_age', minutes: 10 } })
  expect(await rules()).toMatchObject([{ has_data: true }, { has_data: null }])
  await sources.databases.postgres.query("DELETE FROM alert_progress WHERE what = 'clock vast'")
  expect(await land(4)).toBe(2)
  const said = (await messages()).filter(({ slot }) => slot >= sources.slotAt(4))
  expect(said.map(({ name, source }) => [name, source]).sort()).toEqual([
    ['age', 'vast'],
    ['gpus', 'vast'],
  ])
  expect(said.find(({ name }) => name === 'gpus')?.entries).toMatchObject([{ value: count }])

  // With another market a rule begins anew.
  const gpus = (await rules()).find(({ name }) => name === 'gpus')
  const { condition, name } = gpus ?? {}
  const changed = await write({ name, condition, source: null }, 'PUT', `/${gpus?.id}`)
  expect(changed.body).toMatchObject({ rule: { source: null, firing: [] } })
})

it('a list price of a cloud is watched beside any market, also in a trial', async () => {
  for (const { id } of await rules()) await server.send('DELETE', `${path}/${id}`, host)
  const { postgres, clickhouse } = sources.databases
  const offer = {
    catalog: 'gpuhunt',
    provider: 'aws',
    region: 'us-east-1',
    instance_name: 'p5.4xlarge',
    listed_name: 'H100',
    gpu_name: 'H100 SXM',
    gpu_memory: 80,
    gpus: 1,
    spot: false,
  }
  const change = (slot: number, price: number, more = {}) =>
    writeChanges(clickhouse, [{ ...offer, time: slot - 60, price, ...more }])
  const slots = [5, 6, 7, 8].map(sources.slotAt)
  const [first = 0, , third = 0] = slots
  await change(first, 6)
  await change(first, 1, { spot: true, instance_name: 'spot' })
  await change(third, 4.5)
  // A cheaper price of a provider that was not read for longer than two days.
  await change(first, 2, { provider: 'gcp' })
  await postgres.query(
    `INSERT INTO catalogs (catalog, provider, place, ask_after, read_at)
     VALUES ('gpuhunt', 'aws', '', rackrate_now(), rackrate_now()), ('gpuhunt', 'gcp', '', rackrate_now(), to_timestamp(0))`,
  )
  const condition = {
    kind: 'statistic',
    gpu_name: 'h100_sxm',
    statistic: 'list_price',
    is: 'below',
    limit: 5,
    slots: 1,
  }
  expect((await write({ name: 'cloud', source: 'vast', condition })).status).toBe(200)
  expect((await write({ name: 'cloud', condition: { ...condition, limit: 4 } })).status).toBe(200)
  const said = []
  for (const step of [5, 6, 7, 8]) said.push(await land(step))
  expect(said).toEqual([0, 0, 1, 0])
  const text = 'H100 SXM: the lowest list price of a cloud is $4.5, below $5.'
  expect((await messages())[0]).toMatchObject({
    source: 'vast',
    slot: third,
    entries: [{ value: 4.5, text }],
  })
  const tried = await server.send('POST', `${path}/try`, host, { source: 'vast', condition, days: 1 })
  expect((tried.body as AlertTried).entries).toMatchObject([
    { slot: third, what: 'fired', text: expect.stringContaining('list price of a cloud is $4.5, below $5.') },
  ])
})
