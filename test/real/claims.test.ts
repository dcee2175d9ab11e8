import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Claim, ClaimLookup } from '../../contract/claims.ts'
import type { machinesAnswer } from '../../contract/machines.ts'
import { connectAssistant } from '../assistant.ts'
import { fleetAt, openClaimed } from '../claimed.ts'
import { expectedPast, expectedSet } from '../oracle/machines.ts'
import { startServer, type TestServer } from '../server.ts'

const path = '/api/v0/metrics/claims'
const machinesPath = '/api/v0/metrics/machines?source=vast&verified=all'
const interval = 300

let site: Awaited<ReturnType<typeof openClaimed>>
let server: TestServer
const start = () => startServer({ databases: site.databases, markets: [site.market], seriesMaxAgeMs: 0 })
beforeAll(async () => {
  site = await openClaimed()
  server = await start()
})
afterAll(async () => {
  await server?.app.close()
  await site?.close()
})

type Machines = (typeof machinesAnswer)['_output']
const put = (body: object, key = site.keys.host) => server.send('PUT', path, key, { source: 'vast', ...body })
const claims = async (key = site.keys.host) =>
  ((await server.get(path, key)).body as { claims: Claim[] }).claims
const machines = async (key = site.keys.host, query = '') =>
  (await server.get(`${machinesPath}${query}`, key)).body as Machines
const idsOf = async (key?: string, query?: string) =>
  (await machines(key, query)).machines.map(({ id }) => id)
const near = (value: number | null) => (value === null ? null : expect.closeTo(value, 9))
const ofHost = (host: number) =>
  fleetAt(10, true)
    .filter((rig) => rig.host === host)
    .map(({ id }) => id)

describe('before anything is claimed', () => {
  it('a host has no machines of a source, and does not see its market', async () => {
    expect(await claims()).toEqual([])
    expect(await machines()).toMatchObject({ machines: [], claimed: true, income_at: 'listed' })
    const current = await server.get('/api/v0/metrics/gpu/current?source=vast', site.keys.host)
    expect(current.body).toMatchObject({ needs_machine: true })
    const live = await server.get('/api/v0/metrics/live?source=vast&seconds=0', site.keys.host)
    expect(live.status).toBe(403)
  })

  it('an id is found as a host and as a machine', async () => {
    const find = async (id: string) =>
      server.get(`${path}/find?source=vast&id=${id}`, site.keys.host) as Promise<{
        status: number
        body: ClaimLookup
      }>
    expect((await find('51')).body).toEqual({
      success: true,
      source: 'vast',
      machine: null,
      host: {
        id: 51,
        machines: 8,
        gpus: 40,
        gpu_types: [
          { gpu_name: 'RTX 4090', machines: 7, gpus: 32 },
          { gpu_name: 'H100 SXM', machines: 1, gpus: 8 },
        ],
      },
    })
    expect((await find('1006')).body).toMatchObject({
      host: null,
      machine: { id: 1006, gpu_name: 'RTX 4090', num_gpus: 4, last_seen: site.newest },
    })
    expect((await find('7')).body).toMatchObject({ host: null, machine: null })
    for (const wrong of ['0', 'x', '99999999999999999999', '-1']) expect((await find(wrong)).status).toBe(400)
  })
})

describe('claims are refused', () => {
  it.each([
    [{ source: 'nope', hosts: [50] }, /^source must be exporter or vast$/],
    [{ source: 'No', hosts: [50] }, /^source must be the name of a source$/],
    [{ hosts: [7] }, /^hosts: vast has shown no host 7 in the last 30 days$/],
    [{ hosts: [50], machines: [5, 6] }, /^machines: vast has shown no machine 5, 6 in the last 30 days$/],
    [{ hosts: ['50'] }, /^hosts\.0 must be a number/],
    [{ machines: [0] }, /^machines\.0 must be/],
    [{ hosts: Array.from({ length: 101 }, (_, n) => n + 1) }, /^hosts must have at most 100 elements$/],
    [{ owners: [50] }, /unknown fields: owners/],
  ])('%j', async (body, message) => {
    const { status, body: answer } = await put(body)
    expect([status, (answer as { msg: string }).msg]).toEqual([400, expect.stringMatching(message)])
    expect(await claims()).toEqual([])
  })

  it('a claim needs a host and permission to write', async () => {
    const { createKeyFor } = await import('../../src/companion/keys/key-for-role.ts')
    const { key } = await createKeyFor(site.databases.postgres, { role: 'user' })
    expect((await put({ hosts: [50] }, key)).status).toBe(403)
    expect((await server.get(path, key)).status).toBe(403)
  })
})

describe('claimed machines', () => {
  it('are own ones in every figure, with all of their past', async () => {
    const { status, body } = await put({ hosts: [50, 50], machines: [1006, 1001] })
    const taken = {
      machines: 9,
      gpus: 44,
      gpu_types: [
        { gpu_name: 'RTX 4090', machines: 8, gpus: 36 },
        { gpu_name: 'H100 SXM', machines: 1, gpus: 8 },
      ],
    }
    const claim = { source: 'vast', hosts: [50], machines: [1001, 1006], proven: false, proof: null, taken }
    expect([status, body]).toEqual([200, { success: true, claim }])
    expect(await claims()).toEqual([claim])

    const answer = await machines()
    const expected = [1000, 1001, 1006, 1012, 1018, 1024, 1030, 1036, 1042]
    expect(answer.machines.map(({ id }) => id).sort()).toEqual(expected)
    const rigs = new Map(fleetAt(10, true).map((rig) => [rig.id, rig]))
    const reasons = new Set<string | null>()
    for (const { figures, ...machine } of answer.machines) {
      const rig = rigs.get(machine.id)
      const of = site.seen.find((one) => one.machine === machine.id)
      if (!figures || !of) throw new Error('a machine is missing')
      expect(machine).toMatchObject({
        gpu_name: of.gpu,
        num_gpus: of.rig,
        verified: of.verified,
        hosting_type: 'community',
        online: rig !== undefined,
        price: rig?.price ?? null,
        rented_gpus: rig?.rented ?? 0,
        rented_price: rig && rig.rented > 0 ? rig.price : null,
      })
      const past = expectedPast(site.seen, machine.id, site.newest, interval)
      const { idle_since, price_history, covered_seconds, last_seen, ...sums } = past
      expect(figures, `${machine.id}`).toMatchObject({
        idle_since,
        price_history,
        covered_seconds,
        last_seen,
        ...Object.fromEntries(Object.entries(sums).map(([name, value]) => [name, near(value)])),
        // The host in that time counts, not the host now.
        comp_set: expectedSet(site.seen, of, site.newest),
      })
      reasons.add(figures.comp_set.reason)
    }
    expect(reasons).toContain(null)
    expect(reasons.size).toBeGreaterThan(1)
    expect(await idsOf(undefined, '&limit=4')).toEqual(answer.machines.slice(0, 4).map(({ id }) => id))
    expect(await idsOf(undefined, `&after=${answer.machines[3]?.id}&limit=3`)).toEqual(
      answer.machines.slice(4, 7).map(({ id }) => id),
    )
    expect(await idsOf(undefined, '&id=1018')).toEqual([1018])
    for (const foreign of ['&id=1002', '&after=1002', '&id=9007199254740991'])
      expect(await idsOf(undefined, foreign)).toEqual([])
  })

  it('open the market of their source, and no other', async () => {
    const current = async (source: string, key = site.keys.host) =>
      (await server.get(`/api/v0/metrics/gpu/current${source}`, key)).body as { needs_machine: boolean }
    expect((await current('?source=vast')).needs_machine).toBe(false)
    expect((await current('')).needs_machine).toBe(true)
    expect((await current('?source=exporter')).needs_machine).toBe(true)
    const user = (await server.get('/api/v0/users/current', site.keys.host)).body
    expect(user).toMatchObject({
      has_active_machine: false,
      claimed_sources: ['vast'],
      claims_first_source: false,
    })
    const share = (source: string) =>
      server.send('POST', '/api/v0/shares', site.keys.host, {
        query: `gpu_name=RTX+4090${source}`,
        last: 3600,
      })
    expect((await share('')).status).toBe(403)
    const shared = (await share('&source=vast')).body as { url: string; id: number }
    const chart = `/api/v0/shared/${shared.url.split('=')[1]}`
    expect((await server.app.inject({ url: chart })).statusCode).toBe(200)
    // The end of the claim ends the access to its market at once.
    expect((await server.send('DELETE', `${path}?source=vast`, site.keys.host)).status).toBe(200)
    expect((await current('?source=vast')).needs_machine).toBe(true)
    expect((await server.app.inject({ url: chart })).statusCode).toBe(404)
    expect((await server.get('/api/v0/shares', site.keys.host)).body).toMatchObject({
      shares: [{ id: shared.id, stop_reason: 'The account claims no machines of this source' }],
    })
    await put({ hosts: [50], machines: [1006] })
    expect((await server.app.inject({ url: chart })).statusCode).toBe(200)
  })

  it('are hidden from others, until others claim them, too', async () => {
    expect(await claims(site.keys.other)).toEqual([])
    expect(await idsOf(site.keys.other)).toEqual([])
    expect(await idsOf(server.adminKey)).toEqual([])
    await put({ machines: [1018] }, site.keys.other)
    const [one, other] = [await machines(undefined, '&id=1018'), await machines(site.keys.other)]
    expect(other.machines).toEqual(one.machines)
    expect((await claims()).map(({ hosts, machines }) => [hosts, machines])).toEqual([[[50], [1006]]])
    await server.send('DELETE', `${path}?source=vast`, site.keys.other)
    expect(await idsOf(site.keys.other)).toEqual([])
    expect(await idsOf()).toHaveLength(8)
  })

  it('stay by their id when their host id changes, and otherwise leave with the host', async () => {
    expect(await idsOf()).toContain(1006)
    await put({ hosts: [50] })
    expect((await idsOf()).sort()).toEqual([1012, ...ofHost(50)].sort())
    await put({ hosts: [99] })
    expect(await idsOf()).toEqual([1006])
    await put({ hosts: [50], machines: [1006] })
  })

  it('are still there after a restart, and while the source is away', async () => {
    const before = await machines()
    await server.app.close()
    server = await start()
    expect(await machines()).toEqual(before)
    site.other.fault = (response) => response.writeHead(500).end()
    await expect(site.take(11, fleetAt(11, true))).rejects.toThrow('status 500')
    site.other.fault = undefined
    await site.load()
    expect(await machines()).toEqual(before)
  })

  it('can stay in a claim when they are no longer on the market', async () => {
    await site.databases.postgres.query('UPDATE claims SET machines = machines || 77::bigint')
    expect((await put({ hosts: [50], machines: [77, 1006] })).status).toBe(200)
    expect((await put({ hosts: [50], machines: [78, 1006] })).status).toBe(400)
    expect((await put({ hosts: [50], machines: [1006] })).status).toBe(200)
    expect((await put({ hosts: [50], machines: [77] })).status).toBe(400)
  })

  it('have costs of their own in each source', async () => {
    const costs = '/api/v0/metrics/costs'
    const send = (to: string, body: object, key = site.keys.host) =>
      server.send('PUT', `${costs}${to}`, key, body)
    expect((await send('?source=vast', { kwh_price: 0.2 })).status).toBe(200)
    expect((await send('/machines/1006?source=vast', { fee_percent: 25 })).status).toBe(200)
    expect((await send('/machines/1006?source=vast', { fee_percent: 20 })).status).toBe(200)
    for (const [to, key] of [
      ['/machines/1002?source=vast', undefined],
      ['/machines/1006', undefined],
      ['/machines/1006?source=vast', site.keys.other],
      ['/machines/9007199254740993?source=vast', undefined],
    ] as const)
      expect((await send(to, { fee_percent: 1 }, key)).status).toBe(404)
    expect((await server.get(`${costs}?source=vast`, site.keys.host)).body).toMatchObject({
      account: { kwh_price: 0.2, fee_percent: null },
      machines: [{ id: 1006, fee_percent: 20 }],
    })
    expect((await server.get(costs, site.keys.host)).body).toMatchObject({
      account: { kwh_price: null },
      machines: [],
    })
    const [machine] = (await machines(undefined, '&id=1006')).machines
    // Prices are what the fee leaves, so it is not subtracted again.
    expect(machine).toMatchObject({
      host_share: { share: 0.8, basis: 'fee', since: null },
      figures: { costs: { values: { kwh_price: 0.2, fee_percent: 0 } } },
    })
    expect(machine?.price).toBeCloseTo(0.8 * (machine?.renter_price ?? 0), 9)
    expect((await server.send('DELETE', `${costs}/machines/1006?source=vast`, site.keys.host)).status).toBe(
      200,
    )
    expect((await server.send('DELETE', `${costs}/machines/1002?source=vast`, site.keys.host)).status).toBe(
      404,
    )
  })

  it('have no rentals, incomes or idle times where the source does not show rentals', async () => {
    const query = 'SELECT DISTINCT toString(source) AS source FROM slots'
    const answer = await site.market.clickhouse.query({ query, format: 'JSONEachRow' })
    for (const { source } of await answer.json<{ source: string }>())
      await site.market.postgres.query('INSERT INTO price_only_sources VALUES ($1)', [source])
    const found = await machines()
    expect(found.machines.length).toBeGreaterThan(0)
    for (const { rented_gpus, figures } of found.machines) {
      expect(rented_gpus).toBeNull()
      expect(figures).toMatchObject({ past_reason: 'no_rentals_known', income_7d: null, occupancy_7d: null })
    }
    await site.market.postgres.query('DELETE FROM price_only_sources')
    expect((await machines()).machines[0]).toMatchObject({
      rented_gpus: expect.any(Number),
      figures: { past_reason: null, income_7d: expect.any(Number) },
    })
  })

  it('are shown to assistants', async () => {
    const base = await server.app.listen({ host: '127.0.0.1', port: 0 })
    const assistant = await connectAssistant(base, site.keys.host)
    const { content } = await assistant.callTool({ name: 'own_machines', arguments: { source: 'vast' } })
    const { data } = JSON.parse((content as { text: string }[])[0]?.text ?? '')
    expect(data).toMatchObject({ income_at: 'listed', claimed: true })
    expect(data.machines.map(({ id }: { id: number }) => id)).toEqual(await idsOf())
    await assistant.close()
  })
})
