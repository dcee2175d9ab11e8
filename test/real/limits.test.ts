import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { clientOf } from '../../platform/http/limits.ts'
import { createKey } from '../../platform/security/api-keys.ts'
import { passTime } from '../clock.ts'
import { freshDatabases, type TestDatabases } from '../database.ts'
import { freePort, hasRedis, startRedis } from '../debian.ts'
import { smallMarket } from '../market.ts'
import { startServer, type TestServer, type TestServerOptions } from '../server.ts'

let databases: TestDatabases
let servers: TestServer[] = []
let asAdmin: string
beforeAll(async () => {
  databases = await freshDatabases()
  await smallMarket(databases.postgres, 4)
})
afterEach(async () => {
  vi.restoreAllMocks()
  await Promise.all(servers.map(({ app }) => app.close()))
  servers = []
})
afterAll(() => databases?.close())

/** One of several processes on the same databases. */
async function start(options: TestServerOptions): Promise<TestServer> {
  const server = await startServer({ ...options, databases })
  servers.push(server)
  asAdmin = server.adminKey
  return server
}

const garbage = () =>
  `rr_${Math.random().toString(16).slice(2).padEnd(16, '0').slice(0, 16)}_${'0'.repeat(64)}`
const requestFrom = async (
  { app }: TestServer,
  url: string,
  {
    key,
    ...given
  }: { key?: string | undefined; remoteAddress?: string; headers?: Record<string, string> } = {},
) => {
  const headers = { ...given.headers, ...(key && { authorization: `Bearer ${key}` }) }
  return app.inject({ url, ...given, headers })
}
const times = async <T>(n: number, work: (n: number) => Promise<T>): Promise<T[]> => {
  const results: T[] = []
  for (let each = 0; each < n; each += 1) results.push(await work(each))
  return results
}
const statuses = (answers: { statusCode: number }[]) => answers.map(({ statusCode }) => statusCode)
const limited = async ({ app }: TestServer, limit: string): Promise<number> => {
  const { body } = await app.inject({ url: '/metrics', remoteAddress: '198.51.100.99' })
  return Number(
    new RegExp(`^rackrate_limited_requests_total\\{limit="${limit}"\\} (\\d+)`, 'm').exec(body)?.[1],
  )
}
const lookUps = () => {
  const find = 'keys/find'
  const query = vi.spyOn(databases.postgres, 'query')
  return () => query.mock.calls.filter(([statement]) => (statement as unknown) === find).length
}

describe('requests of an account', () => {
  it('are counted over all its keys', async () => {
    const server = await start({ rateLimit: 3 })
    const keys = await times(2, async () => (await createKey(databases.postgres, { accountId: 1001 })).key)
    const answers = await times(5, (n) => requestFrom(server, '/api/v0/ssh', { key: keys[n % 2] }))
    expect(statuses(answers)).toEqual([200, 200, 200, 429, 429])
    expect(answers[1]?.headers).toMatchObject({ 'x-ratelimit-limit': '3', 'x-ratelimit-remaining': '1' })
    expect(answers[4]?.headers).toMatchObject({
      'retry-after': expect.stringMatching(/^[1-9]\d?$/),
      'x-ratelimit-remaining': '0',
    })
    expect(answers[4]?.json()).toEqual({
      success: false,
      error: 'too_many_requests',
      msg: expect.stringMatching(
        /^Too many requests with the keys of this account\. Try again in \d+ seconds\.$/,
      ),
    })
    const { key: other } = await createKey(databases.postgres, { accountId: 1002 })
    expect((await requestFrom(server, '/api/v0/ssh', { key: other })).statusCode).toBe(200)
    expect(await limited(server, 'account')).toBe(2)
  })

  it('have a lower limit for one key, which leaves the rest to the other keys', async () => {
    const server = await start({ rateLimit: 5, keyRateLimit: 2 })
    const [program, browser] = await times(
      2,
      async () => (await createKey(databases.postgres, { accountId: 1001 })).key,
    )
    const answers = await times(4, () => requestFrom(server, '/api/v0/ssh', { key: program }))
    expect(statuses(answers)).toEqual([200, 200, 429, 429])
    expect(answers[0]?.headers).toMatchObject({ 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '1' })
    expect(answers[3]?.json().msg).toMatch(/^Too many requests with this key\. Try again in \d+ seconds\.$/)
    expect((await requestFrom(server, '/api/v0/ssh', { key: browser })).statusCode).toBe(200)
    expect(await limited(server, 'key')).toBe(2)
  })

  it('count when they are forbidden', async () => {
    const server = await start({ rateLimit: 3 })
    const { key } = await createKey(databases.postgres, {
      accountId: 1001,
      permissions: { api: { misc: {} } },
    })
    const answers = await times(5, () => requestFrom(server, '/api/v0/ssh', { key }))
    expect(statuses(answers)).toEqual([403, 403, 403, 429, 429])
  })
})

describe('requests of an address', () => {
  const anonymous = ['/metrics', '/readyz', '/openapi.json', '/docs', '/nothing']

  it('are limited where no key is needed, except for /healthz', async () => {
    const server = await start({ addressRateLimit: 5 })
    expect(statuses(await times(5, (n) => requestFrom(server, anonymous[n] ?? '')))).toEqual([
      200, 200, 200, 200, 404,
    ])
    for (const url of [...anonymous, '/api/v0/commands/copytool/results/x']) {
      const answer = await requestFrom(server, url)
      expect([answer.statusCode, answer.json().error]).toEqual([429, 'too_many_requests'])
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    }
    expect((await requestFrom(server, '/healthz')).statusCode).toBe(200)
    expect((await requestFrom(server, '/api/v0/ssh', { key: asAdmin })).statusCode).toBe(200)
    expect((await requestFrom(server, '/readyz', { remoteAddress: '198.51.100.1' })).statusCode).toBe(200)
    // The metrics are at most a second old. The request for them counts for another address.
    await expect.poll(() => limited(server, 'anonymous'), { interval: 1100 }).toBe(6)
  })

  it('cost no query with unknown keys once there are too many', async () => {
    const server = await start({ addressRateLimit: 4 })
    const { key: known } = await createKey(databases.postgres, { accountId: 1001 })
    const { key: fresh } = await createKey(databases.postgres, { accountId: 1002 })
    expect((await requestFrom(server, '/api/v0/ssh', { key: known })).statusCode).toBe(200)
    const count = lookUps()
    const same = garbage()
    const answers = [
      ...(await times(3, () => requestFrom(server, '/api/v0/ssh', { key: same }))),
      ...(await times(7, () => requestFrom(server, '/api/v0/ssh', { key: garbage() }))),
    ]
    expect(statuses(answers)).toEqual([401, 401, 401, 401, 429, 429, 429, 429, 429, 429])
    expect(answers[9]?.json()).toMatchObject({ success: false, error: 'too_many_requests' })
    // The repeated key is looked up once. The last look-up is of the request that was one too many.
    expect(count()).toBe(3)

    // Requests without a key are refused alike, and a key that was valid lately still works.
    expect((await requestFrom(server, '/api/v0/ssh')).statusCode).toBe(429)
    passTime(5)
    expect((await requestFrom(server, '/api/v0/ssh', { key: known })).statusCode).toBe(200)
    expect((await requestFrom(server, '/api/v0/ssh', { key: fresh })).statusCode).toBe(429)
    expect(
      (await requestFrom(server, '/api/v0/ssh', { key: fresh, remoteAddress: '198.51.100.1' })).statusCode,
    ).toBe(200)
    expect(await limited(server, 'refused')).toBe(8)
  })

  it('are limited also when they are forbidden', async () => {
    const server = await start({ addressRateLimit: 2 })
    const permissions = { api: { misc: {} } }
    const { key } = await createKey(databases.postgres, { accountId: 1001, permissions })
    const answers = await times(4, () => requestFrom(server, '/api/v0/ssh', { key }))
    expect(statuses(answers)).toEqual([403, 403, 429, 429])
  })

  it.each([
    [0, '203.0.113.1', '203.0.113.2', 429],
    [1, '198.51.100.1', '198.51.100.2', 200],
    [1, '198.51.100.1', '198.51.100.1', 429],
    // The first entry is whatever the client sent; the proxy appended the last one.
    [1, '6.6.6.1, 198.51.100.1', '6.6.6.2, 198.51.100.1', 429],
    [2, '198.51.100.1, 192.0.2.1', '198.51.100.2, 192.0.2.1', 200],
  ])('behind %i proxies: %s, then %s', async (trustedProxies, first, second, expected) => {
    const server = await start({ addressRateLimit: 1, trustedProxies })
    const ask = (address: string) =>
      requestFrom(server, '/readyz', { headers: { 'x-forwarded-for': address } })
    expect((await ask(first)).statusCode).toBe(200)
    expect((await ask(second)).statusCode).toBe(expected)
  })

  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['unknown', 'unknown'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:db8::9', '2001:db8::/64'],
    ['::1', '::/64'],
    ['fe80::1%eth0', 'fe80::/64'],
    ['1::', '1::/64'],
  ])('%s are counted for %s', (address, client) => {
    expect(clientOf(address)).toBe(client)
  })
})

describe.runIf(hasRedis)('several processes', () => {
  it('count together in Redis, and each for itself while it is away', async () => {
    const port = await freePort()
    const redis = await startRedis(port)
    const clients = [0, 1].map(() =>
      new Redis(redis.url, { maxRetriesPerRequest: 1, commandTimeout: 5000 }).on('error', () => {}),
    )
    try {
      await Promise.all(clients.map((client) => client.ping()))
      const [one, two] = await Promise.all(
        clients.map((client) => start({ rateLimit: 4, addressRateLimit: 2, redis: client })),
      )
      if (!one || !two) throw new Error('no servers')
      const { key } = await createKey(databases.postgres, { accountId: 1001 })
      const ask = (n: number) => requestFrom(n % 2 ? one : two, '/api/v0/ssh', { key })
      expect(statuses(await times(6, ask))).toEqual([200, 200, 200, 200, 429, 429])
      const refused = (n: number) => requestFrom(n % 2 ? one : two, '/api/v0/ssh', { key: garbage() })
      expect(statuses(await times(4, refused))).toEqual([401, 401, 429, 429])
      const probe = (n: number) => requestFrom(n % 2 ? one : two, '/readyz')
      expect(statuses(await times(4, probe))).toEqual([200, 200, 429, 429])

      await redis.stop()
      const { key: other } = await createKey(databases.postgres, { accountId: 1002 })
      const alone = () => requestFrom(one, '/api/v0/ssh', { key: other, remoteAddress: '198.51.100.1' })
      expect(statuses(await times(6, alone))).toEqual([200, 200, 200, 200, 429, 429])
    } finally {
      for (const client of clients) client.disconnect()
      await redis.stop()
    }
  })
})

describe('a flood of garbage keys and anonymous requests', () => {
  it('does not stop a host, and is counted', async () => {
    const limit = 50
    const server = await start({ addressRateLimit: limit })
    const base = await server.app.listen({ host: '127.0.0.1', port: 0 })
    const get = async (path: string, key?: string) => {
      const response = await fetch(`${base}${path}`, {
        ...(key && { headers: { authorization: `Bearer ${key}` } }),
      })
      return { status: response.status, body: await response.text() }
    }
    const host = asAdmin
    const expected = await get('/api/v0/metrics/gpu/names', host)
    expect(expected.status).toBe(200)
    const count = lookUps()

    const flood: { status: number }[] = []
    const lanes = Array.from({ length: 30 }, async (_, lane) => {
      for (let n = 0; n < 40; n += 1)
        flood.push(await (lane % 3 ? get('/api/v0/ssh', garbage()) : get('/openapi.json')))
    })
    const reads: Awaited<ReturnType<typeof get>>[] = []
    let over = false
    const reading = (async () => {
      while (!over || reads.length < 20) reads.push(await get('/api/v0/metrics/gpu/names', host))
    })()
    await Promise.all(lanes)
    over = true
    await reading

    expect(new Set(reads.map(({ status, body }) => `${status} ${body}`))).toEqual(
      new Set([`200 ${expected.body}`]),
    )
    const of = (status: number) => flood.filter((answer) => answer.status === status).length
    expect([of(200), of(401), of(429)]).toEqual([limit, limit, 1200 - 2 * limit])
    // The requests that were running when the limit was reached, and the requests of the host.
    expect(count()).toBeLessThanOrEqual(limit + 30 + reads.length)
    const counted = async () => (await limited(server, 'anonymous')) + (await limited(server, 'refused'))
    await expect.poll(counted, { interval: 1100 }).toBe(1200 - 2 * limit)
  })
})

describe('anonymous answers', () => {
  it('are made once a second, and the document once', async () => {
    const server = await start({})
    const query = vi.spyOn(databases.postgres, 'query')
    const document = vi.spyOn(server.app, 'swagger')
    vi.spyOn(performance, 'now').mockReturnValue(performance.now()) // no second passes
    for (const url of ['/metrics', '/readyz', '/openapi.json'])
      expect(
        new Set(statuses(await Promise.all(Array.from({ length: 50 }, () => requestFrom(server, url))))),
      ).toEqual(new Set([200]))
    const state = 'health/pipeline'
    const asked = query.mock.calls.filter(([statement]) => (statement as unknown) === state).length
    expect(asked).toBeGreaterThan(0)
    expect(asked).toBeLessThanOrEqual(6)
    expect(document).toHaveBeenCalledTimes(1)
  })

  it('say when slots are late, after a grace period', async () => {
    const ready = async (server: TestServer, query = '') => {
      const answer = await requestFrom(server, `/readyz${query}`)
      return [answer.statusCode, answer.json()]
    }
    const first = await start({ snapshotInterval: 300 })
    passTime(1000)
    expect(await ready(first)).toEqual([200, expect.objectContaining({ status: 'ok' })]) // no snapshot was ever taken
    await databases.postgres.query(
      `INSERT INTO snapshots (slot, source, observations, loaded_at) VALUES (1750000200, 'market', 0, rackrate_now())`,
    )
    const second = await start({ snapshotInterval: 300 })
    expect(await ready(second)).toEqual([200, expect.objectContaining({ status: 'ok' })])
    passTime(2000)
    const late = { status: 'late', reason: expect.stringMatching(/^The newest slot is \d+ seconds old/) }
    expect(await ready(second)).toEqual([503, expect.objectContaining(late)])
    expect(await ready(second, '?exclude=slots')).toEqual([200, expect.objectContaining(late)])
    const reachable = { status: 'ok', dependencies: { postgres: { ok: true } } }
    expect(await ready(second, '?exclude=slots,clickhouse')).toEqual([200, reachable])
  })

  it.each([
    [`GET / HTTP/1.1\r\nhost: x\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'too_large'],
    ['nonsense\r\n\r\n', 400, 'invalid_args'],
  ])('have the usual error body when the request cannot be read, %#', async (request, status, error) => {
    const server = await start({})
    await server.app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = new URL(server.app.listeningOrigin)
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(request))
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} .*\\r\\n`))
    expect(head).toMatch(/\r\nx-request-id: [\w-]+/)
    expect(JSON.parse(body)).toEqual({ success: false, error, msg: expect.any(String) })
  })
})
