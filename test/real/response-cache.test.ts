import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { request as send } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { capture } from '../../ingest/capture.ts'
import { loadAll } from '../../ingest/load.ts'
import { createKey, revokeKey } from '../../platform/security/api-keys.ts'
import { createKeyFor } from '../../src/companion/keys/key-for-role.ts'
import { freshDatabases, type TestDatabases } from '../database.ts'
import { smallMarket } from '../market.ts'
import { startServer, type TestServer, type TestServerOptions } from '../server.ts'

const path =
  '/api/v0/metrics/gpu/history?gpu_name=RTX+4090&verified=all&step=300&start=1750000000&end=1750010000'
const slots = [1_750_000_200, 1_750_000_500]
let databases: TestDatabases
let server: TestServer
let base: string
let handled = 0
const count = () => {
  handled += 1
}

beforeAll(async () => {
  databases = await freshDatabases()
  await smallMarket(databases.postgres, 24)
  for (const slot of slots) await capture(databases.postgres, slot)
  await loadAll(databases)
  subscribe('tracing:fastify.request.handler:start', count)
})
afterEach(async () => {
  vi.restoreAllMocks()
  await databases.clock.release()
  await server.app.close()
})
afterAll(async () => {
  unsubscribe('tracing:fastify.request.handler:start', count)
  await databases?.close()
})

/** A server whose clock stands still, so that no second and no check of a key ends by itself. */
async function start(options: TestServerOptions = {}): Promise<void> {
  server = await startServer({ seriesMaxAgeMs: 60_000, ...options, databases })
  base = await server.app.listen({ host: '127.0.0.1', port: 0 })
  const still = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => still + passed)
  await databases.clock.hold(Date.parse('2026-11-21T12:00:00.500Z') / 1000)
}
let passed = 0
const pass = async (ms: number) => {
  passed += ms
  await databases.clock.advance(ms / 1000)
}

interface CachedRequest {
  key?: string
  url?: string
  method?: string
  headers?: Record<string, string>
}

/** The answer; `byFramework`: true if the framework repeated it without calling the route. */
async function ask({ key = server.adminKey, url = path, method = 'GET', headers = {} }: CachedRequest = {}) {
  const before = handled
  const authorization = `Bearer ${key}`
  const answer = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    send(`${base}${url}`, { method, headers: { authorization, ...headers } }, resolve)
      .on('error', reject)
      .end()
  })
  const body = await buffer(answer)
  return { status: answer.statusCode, headers: answer.headers, body, byFramework: handled > before }
}

const withoutOwn = ({ headers, ...rest }: Awaited<ReturnType<typeof ask>>) => {
  // A second may pass between two answers.
  const { 'x-request-id': id, 'x-ratelimit-remaining': remaining, date, ...same } = headers
  return {
    ...rest,
    headers: same,
    byFramework: undefined,
    hasOwn: [id, remaining, date].every((header) => header !== undefined),
  }
}

describe('an answer given again', () => {
  it.each<[string, CachedRequest]>([
    ['plain', {}],
    ['compressed', { headers: { 'accept-encoding': 'gzip' } }],
    ['unchanged', { headers: { 'if-none-match': '*' } }],
    ['with a slash at the end of the path', { url: path.replace('?', '/?') }],
    ['of another endpoint', { url: '/api/v0/metrics/gpu/current' }],
  ])('%s, is the same, header by header, as from the route and from ClickHouse', async (_, given) => {
    await start()
    const fromClickHouse = await ask(given)
    const fromShelf = await ask(given)
    expect([fromClickHouse.byFramework, fromShelf.byFramework]).toEqual([true, false])
    expect(withoutOwn(fromShelf)).toEqual(withoutOwn(fromClickHouse))
    expect(fromShelf.headers['x-request-id']).not.toBe(fromClickHouse.headers['x-request-id'])
    await pass(1000) // the response cache is empty, the answer is still cached
    const fromRoute = await ask(given)
    expect(fromRoute.byFramework).toBe(true)
    const age = Number(fromShelf.headers['rackrate-data-age'])
    expect(fromRoute.headers['rackrate-data-age']).toBe(`${age + 1}`)
    await pass(-1000)
    expect(withoutOwn(await ask(given))).toEqual(withoutOwn(fromShelf))
  })

  it('has the request id that was sent', async () => {
    await start()
    await ask()
    const { headers, byFramework } = await ask({ headers: { 'x-request-id': 'abc-1' } })
    expect([headers['x-request-id'], byFramework]).toEqual(['abc-1', false])
  })

  it('is of one caller, one URL and one encoding', async () => {
    await start()
    const { key } = await createKeyFor(databases.postgres, { role: 'host' })
    await ask()
    expect(JSON.parse(`${(await ask({ key })).body}`).needs_machine).toBe(true)
    for (const given of [
      { url: `${path}&x=1` },
      { headers: { 'accept-encoding': 'gzip' } },
      { method: 'HEAD' },
    ])
      expect((await ask(given)).byFramework).toBe(true)
    expect((await ask({ method: 'POST' })).status).toBe(405)
    expect((await ask()).byFramework).toBe(false)
  })

  it('counts towards the limit, and in the metrics', async () => {
    await start({ rateLimit: 3 })
    const answers = [await ask(), await ask(), await ask(), await ask(), await ask()]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429])
    expect(answers.map(({ byFramework }) => byFramework)).toEqual([true, false, false, false, false])
    expect(answers.map(({ headers }) => headers['x-ratelimit-remaining'])).toEqual(['2', '1', '0', '0', '0'])
    const { body } = await server.app.inject('/metrics')
    const route = 'method="GET",route="/api/v0/metrics/gpu/history"'
    expect(body).toContain(`rackrate_http_requests_total{${route},status="200"} 3`)
    expect(body).toContain(`rackrate_http_requests_total{${route},status="429"} 2`)
    expect(body).toContain('rackrate_limited_requests_total{limit="account"} 2')
  })

  it('is refused to a revoked key as soon as the route refuses it', async () => {
    await start()
    const { id, key } = await createKey(databases.postgres, { accountId: 1001 })
    await ask({ key })
    await revokeKey(databases.postgres, `${id}`)
    await pass(2900)
    expect((await ask({ key })).status).toBe(200)
    expect((await ask({ key })).byFramework).toBe(false)
    await pass(150)
    expect((await ask({ key })).status).toBe(401)
  })
})

it('a cached response is dropped when the state of the series has to be looked up again', async () => {
  await start({ seriesMaxAgeMs: 100 })
  await ask()
  expect((await ask()).byFramework).toBe(false)
  await pass(101)
  expect((await ask()).byFramework).toBe(true)
  await server.app.close()
  await start({ seriesMaxAgeMs: 0 })
  await ask()
  expect((await ask()).byFramework).toBe(true)
})
