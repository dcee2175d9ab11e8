import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer } from '../server.ts'
import { openWorld, type World } from '../world.ts'

let server: TestServer
let world: World
beforeAll(async () => {
  server = await startServer()
  world = await openWorld(server)
})
afterAll(() => server?.close())

const ask = (method: 'GET' | 'HEAD' | 'POST', url: string, headers = {}) =>
  server.app.inject({ method, url, headers: { authorization: `Bearer ${world.keys.host}`, ...headers } })

const reads = [
  '/api/v0/ssh',
  '/api/v0/alerts',
  '/api/v0/metrics/gpu/history',
  '/api/v0/alerts/feed',
  '/openapi.json',
]

it.each(reads)('GET %s has an ETag, with which an unchanged answer is a 304 without a body', async (url) => {
  const first = await ask('GET', url)
  const etag = String(first.headers.etag)
  expect([first.statusCode, etag]).toEqual([200, expect.stringMatching(/^"[\w-]{22}"$/)])
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
    const again = await ask('GET', url, { 'if-none-match': known })
    expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag])
  }
  expect((await ask('GET', url, { 'if-none-match': '"other"' })).statusCode).toBe(200)
})

it.each(reads)('HEAD %s has the status and headers of GET, and no body', async (url) => {
  await server.clock.hold() // The cache time of an answer is given in seconds.
  const [head, get] = [await ask('HEAD', url), await ask('GET', url)]
  await server.clock.release()
  expect([head.statusCode, head.body]).toEqual([200, ''])
  for (const name of ['content-type', 'etag', 'cache-control'])
    expect(head.headers[name]).toEqual(get.headers[name])
})

it('no failure and no write has an ETag', async () => {
  expect((await ask('GET', '/api/v0/nothing')).headers.etag).toBeUndefined()
  const headers = { authorization: `Bearer ${world.keys.host}`, 'if-none-match': '*' }
  const written = await server.app.inject({
    method: 'POST',
    url: '/api/v0/auth/apikeys',
    headers,
    payload: {},
  })
  expect([written.statusCode, written.headers.etag]).toEqual([200, undefined])
})

it('scripts of other sites may read shared charts and the OpenAPI document only', async () => {
  const origin = 'https://other.example'
  for (const url of ['/openapi.json', '/api/v0/shared/unknown', '/api/v0/shared/unknown/picture']) {
    const { headers } = await ask('GET', url, { origin })
    expect([url, headers['access-control-allow-origin']]).toEqual([url, '*'])
  }
  for (const url of ['/api/v0/ssh', '/api/v0/metrics/gpu/history', '/api/v0/alerts/feed/unknown']) {
    const { headers } = await ask('GET', url, { origin })
    expect([url, headers['access-control-allow-origin']]).toEqual([url, undefined])
  }
})
