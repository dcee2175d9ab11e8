import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { z } from 'zod'
import { collect } from '../../collect/collect.ts'
import { openSource } from '../../collect/open-source.ts'
import {
  keepOfficialServer,
  type OfficialOptions,
  officialState,
  readOfficialServers,
} from '../../collect/read-official.ts'
import { keepToSource, newestCoverage } from '../../collect/site-source.ts'
import { registerSources } from '../../collect/sources.ts'
import type { historyAnswer } from '../../contract/history.ts'
import type { officialAnswer } from '../../contract/official.ts'
import type { SourceState } from '../../contract/sources.ts'
import { capture } from '../../ingest/capture.ts'
import { loadAll } from '../../ingest/load.ts'
import { execute, selectRows } from '../../platform/stores/clickhouse.ts'
import { smallMarket } from '../market.ts'
import { type Fault, type OfficialStandIn, openOfficialServer } from '../official-server.ts'
import { startServer, type TestServer } from '../server.ts'
import { openStandIn, rigsAt } from '../stand-in.ts'

const day = 86_400
/** Two hours after the start of a part of ten days. */
const now = 2080 * 10 * day + 2 * 3600 + 60
let server: TestServer
let official: OfficialStandIn
beforeAll(async () => {
  server = await startServer({ seriesMaxAgeMs: 0 })
  official = await openOfficialServer({})
  await registerSources(server.postgres, ['vast'])
})
afterAll(async () => {
  official?.close()
  await server?.close()
})
beforeEach(async () => {
  await server.clock.hold(now)
  const market = {
    'RTX 4090': { verified: 40, unverified: 10 },
    'H100 SXM': { verified: 6, unverified: 2 },
    L40: { verified: 4, unverified: 0 },
    A100: { verified: 8, unverified: 8 },
  }
  Object.assign(official, { now, since: now - 25 * day, market, faults: [], requests: [] })
  await server.postgres.query('TRUNCATE official_servers, official_parts, official_counts')
  await execute(server.clickhouse, 'TRUNCATE TABLE official/*!_local ON CLUSTER $cluster*/')
  await keepOfficialServer(server, { source: 'vast', url: official.url, key: official.key })
})

const read = (options: OfficialOptions & { source?: string } = { source: 'vast' }) =>
  readOfficialServers(server, { pauseMs: 0, ...options })
const failure = async (...faults: Fault[]) => {
  official.faults = faults
  return read().then(
    () => undefined,
    (error: Error) => error.message,
  )
}
const rowsByName = () =>
  selectRows<{ gpu_name: string; verified: string; rows: number; first: number; last: number }>(
    server.clickhouse,
    `SELECT gpu_name, verified, toUInt32(count()) AS rows, toUnixTimestamp(min(bucket)) AS first, toUnixTimestamp(max(bucket)) AS last
     FROM official FINAL GROUP BY ALL ORDER BY ALL`,
  )
const ask = async (query: string) =>
  (await server.get(`/api/v0/metrics/gpu/official?${query}`)).body as z.infer<typeof officialAnswer>

it('reads the history of every GPU name and verification back to its beginning', async () => {
  await read()
  const rows = await rowsByName()
  expect(rows).toContainEqual({
    gpu_name: 'RTX 4090',
    verified: 'no',
    rows: 25 * 24 - 1,
    first: Math.ceil(official.since / 3600) * 3600,
    last: now - 60 - 3600,
  })
  expect(new Set(rows.map(({ gpu_name, verified }) => `${gpu_name} ${verified}`)).size).toBe(11) // no unverified L40
})

it('continues a reading where it was interrupted, and reads only new hours later', async () => {
  await read({ source: 'vast', most: 2 })
  expect(official.requests.length).toBe(2)
  await read()
  const asked = official.requests.map(({ verified, start }) => `${verified} ${start}`)
  expect(new Set(asked).size).toBe(asked.length)
  official.requests = []
  await read()
  expect(official.requests).toEqual([])
  await server.clock.advance(3600)
  official.now += 3600
  await read()
  expect(official.requests.map(({ start, end }) => end - start + 1)).toEqual([3600, 3600, 3600])
})

it('a worker reads a server when it is due, and keeps the reason of a failure', async () => {
  await server.postgres.query('UPDATE official_servers SET ask_after = rackrate_now()')
  await read({})
  expect(official.requests.length).toBeGreaterThan(0)
  official.requests = []
  await read({})
  expect(official.requests).toEqual([]) // not due
  await server.clock.advance(3601)
  official.now += 3601
  official.faults = ['html']
  await read({})
  expect(await officialState(server.postgres, server.postgres, 'vast')).toMatchObject({
    failures: 1,
    problem: 'The answer of the marketplace is not JSON, or ends too early.',
  })
})

it('waits after status 429 and goes on', async () => {
  const messages: string[] = []
  official.faults = [undefined as never, 'busy', 'busy']
  const { parts } = await read({ source: 'vast', onWait: (message) => messages.push(message) })
  expect(messages.length).toBe(2)
  expect(parts).toBe(13)
  expect(await failure(...Array.from({ length: 6 }, (): Fault => 'busy'))).toBeUndefined() // all parts were read
})

it.each<[Fault, RegExp]>([
  ['html', /not JSON/],
  ['cut', /not JSON, or ends too early/],
  ['other version', /unusable: needs_machine/],
  [
    'all contradict',
    /4 of 4 GPU names contradict themselves, such as RTX 4090: total_gpus is 101, but its parts are 100/,
  ],
  ['no machine', /no active machine/],
])('refuses an answer (%s) with a sentence, and takes nothing of it', async (fault, reason) => {
  expect(await failure(fault)).toMatch(reason)
  expect(await rowsByName()).toEqual([])
  expect((await server.postgres.query('SELECT FROM official_parts')).rowCount).toBe(0)
})

it('refuses a key of another account, and a server whose clock is an hour off', async () => {
  official.key = 'another-key-2'
  expect(await failure()).toBe('The marketplace refused the key (status 401).')
  official.key = 'official-key-1'
  official.now = now + 3600
  expect(await failure()).toMatch(/^Its clock is 60 minutes ahead of the clock here/)
  expect(await rowsByName()).toEqual([])
})

it('leaves out a GPU name whose figures contradict themselves, and names it', async () => {
  official.faults = ['contradiction']
  const { leftOut } = await read()
  expect(leftOut).toEqual({ 'RTX 4090': expect.stringMatching(/^total_gpus is 101/) })
  const rows = await rowsByName()
  expect(rows.find(({ gpu_name, verified }) => gpu_name === 'L40' && verified === 'all')?.rows).toBe(599)
  const known = rows.find(({ gpu_name, verified }) => gpu_name === 'RTX 4090' && verified === 'all')
  expect(known?.last).toBeLessThan(now - 7200)
})

it('answers official aggregates by step and verification, and never in the history', async () => {
  await read()
  const range = `start=${now - 20 * day}&end=${now}&step=${day}&gpu_name=rtx_4090`
  const { before, step, gpus } = await ask(`${range}&verified=all`)
  expect([before, step]).toEqual([null, day])
  const { supply_demand, pricing } = gpus['RTX 4090'] ?? {}
  expect(supply_demand?.timestamps.length).toBe(21)
  expect(supply_demand?.total.at(-1)).toBe(50)
  const level = (Math.floor(now / day) % 100) / 100
  expect(pricing?.avail_median.at(-1)).toBeCloseTo(0.5 + level)
  expect((await ask(`${range}&verified=no`)).gpus['RTX 4090']?.supply_demand.total.at(-1)).toBe(10)
  expect((await ask(`${range}&num_gpus=8`)).gpus['RTX 4090']?.supply_demand.timestamps).toEqual([])
  const history = await server.get(`/api/v0/metrics/gpu/history?${range}&verified=all`)
  const answer = history.body as z.infer<typeof historyAnswer>
  expect(Object.values(answer.gpus).map(({ supply_demand }) => supply_demand.timestamps)).toEqual([[]])
})

it('refuses servers and keys that cannot be used', async () => {
  const keep = (url: string, key = official.key) => keepOfficialServer(server, { source: 'vast', url, key })
  await expect(keep('example.com')).rejects.toThrow('--from must be a URL')
  await expect(keep('http://example.com')).rejects.toThrow('--from is not https')
  await expect(keep(official.url, 'a key')).rejects.toThrow('The key must be')
})

it('stores the official counts beside the coverage, and marks a slot with too few GPUs', async () => {
  const standIn = await openStandIn()
  try {
    const slot = Math.floor(now / 300) * 300
    standIn.rigs = rigsAt(30, 1)
    const seen = standIn.rigs.reduce((sum, { gpus }) => sum + gpus, 0)
    official.market = { [standIn.rigs[0]?.gpu ?? '']: { verified: seen, unverified: 0 } }
    await read()
    const source = openSource(`vast=${standIn.url}`, {})
    await keepToSource(server.postgres, source)
    await collect(server, source, { slot, interval: 300 })
    const coverage = await newestCoverage(server.postgres)
    expect(coverage?.share).toBe(1)
    expect(coverage?.official).toMatchObject({ gpus: 2 * seen, at: now - 60 - 3600 })
    expect(coverage?.official?.share).toBeLessThan(0.6)
    expect(coverage?.notice).toMatch(/^The newest slot has \d+ % of the GPUs of the official counts/)
    const { body } = await server.get('/api/v0/metrics/sources')
    const [state] = (body as { sources: SourceState[] }).sources
    expect(state?.official).toMatchObject({ url: official.url, last: now - 60, failures: 0 })
  } finally {
    standIn.close()
  }
})

it('reads the history of another rackrate', async () => {
  const other = await startServer()
  try {
    const url = await other.app.listen({ port: 0, host: '127.0.0.1' })
    // Its web server dates answers with the time of the machine.
    const time = Date.parse((await fetch(url)).headers.get('date') ?? '') / 1000
    await Promise.all([server, other].map(({ clock }) => clock.hold(time)))
    await smallMarket(other.postgres, 60)
    const slot = Math.floor(time / 3600) * 3600 - 1800
    await capture(other.postgres, slot)
    await loadAll(other)
    await keepOfficialServer(server, { source: 'vast', url, key: other.adminKey })
    await read()
    const theirs = await other.get(
      `/api/v0/metrics/gpu/history?gpu_name=all&verified=all&step=3600&start=${slot}&end=${slot}`,
    )
    const { gpus } = theirs.body as z.infer<typeof historyAnswer>
    const mine = await ask(`gpu_name=all&verified=all&step=3600&start=${slot}&end=${slot}`)
    const names = Object.keys(gpus).sort()
    expect(names.length).toBeGreaterThan(2)
    expect(Object.keys(mine.gpus).sort()).toEqual(names)
    for (const name of names) {
      expect(mine.gpus[name]?.supply_demand).toEqual(gpus[name]?.supply_demand)
      expect(mine.gpus[name]?.pricing.rented_median[0] ?? null).toBeCloseTo(
        gpus[name]?.pricing.rented_median[0] ?? Number.NaN,
        5,
      )
    }
  } finally {
    await other.close()
  }
})
