import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type SeriesEvent, seriesEvent } from '../../contract/live.ts'
import { capture, currentSlot } from '../../ingest/capture.ts'
import { loadAll } from '../../ingest/load.ts'
import { createKey } from '../../platform/security/api-keys.ts'
import { smallMarket } from '../market.ts'
import { startServer, type TestServer } from '../server.ts'

let server: TestServer
let url: string
beforeAll(async () => {
  server = await startServer({ seriesMaxAgeMs: 0 })
  await smallMarket(server.postgres, 20)
  url = await server.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => server.close())

const open = (key = server.adminKey, query = '', signal: AbortSignal | null = null) =>
  fetch(`${url}/api/v0/metrics/live${query}`, { headers: { authorization: `Bearer ${key}` }, signal })

/** The events of a stream, one after the other; undefined: it has ended. */
function eventsOf({ body }: Response): () => Promise<SeriesEvent | undefined> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  return async () => {
    for (;;) {
      const [, event] = /^event: slot\ndata: (.*)$/m.exec(rest) ?? []
      if (event) {
        rest = rest.slice(rest.indexOf(event) + event.length)
        return seriesEvent.parse(JSON.parse(event))
      }
      const { done, value } = (await reader?.read()) ?? { done: true }
      if (done) return undefined
      rest += value
    }
  }
}

it('a stream sends the state of the series, then each change', async () => {
  const leaving = new AbortController()
  const response = await open(server.adminKey, '', leaving.signal)
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  expect(response.headers.has('rackrate-simulated')).toBe(false)
  const next = eventsOf(response)
  expect(await next()).toEqual({ revision: 0, newest_slot: 0, delay: 0, filling: null, notices: [] })
  const slot = await currentSlot(server.postgres, 300)
  await capture(server.postgres, slot)
  await loadAll(server)
  const changed = await next()
  expect(changed?.newest_slot).toBe(slot)
  expect(changed?.revision).toBeGreaterThan(0)
  leaving.abort()
})

it('a stream sends the finished share of a simulated history', async () => {
  await server.postgres.query(
    `INSERT INTO simulation (seed, size, interval, anchor_slot, filled_from, fill_until, moods, advanced_to) VALUES (1, 1, 300, 1000, 750, 0, '{}', 1000)`,
  )
  expect((await eventsOf(await open(server.adminKey, '?seconds=0'))())?.filling).toBe(0.25)
  await server.postgres.query('UPDATE simulation SET filled_from = 0')
  expect((await eventsOf(await open(server.adminKey, '?seconds=0'))())?.filling).toBeNull()
})

it('a stream ends at the requested time; other lengths and hosts without a machine are refused', async () => {
  const next = eventsOf(await open(server.adminKey, '?seconds=1'))
  expect(await next()).toBeDefined()
  expect(await next()).toBeUndefined()
  for (const seconds of ['-1', '301', 'x'])
    expect((await open(server.adminKey, `?seconds=${seconds}`)).status).toBe(400)
  const { rows } = await server.postgres.query<{ id: number }>(
    `INSERT INTO accounts (name, is_host) VALUES ('Somebody', true) RETURNING id`,
  )
  const { key } = await createKey(server.postgres, { accountId: rows[0]?.id ?? 0 })
  expect((await open(key)).status).toBe(403)
})

it('streams are limited for each account, free their places, and end with the server', async () => {
  const statusOf = async () => (await open(server.adminKey, '?seconds=0')).status
  await expect.poll(statusOf).toBe(200)
  const leaving = new AbortController()
  const open20 = await Promise.all(
    Array.from({ length: 20 }, (_, n) => open(server.adminKey, '', n === 0 ? leaving.signal : null)),
  )
  expect(open20.map(({ status }) => status)).toEqual(new Array(20).fill(200))
  expect(await statusOf()).toBe(429)
  leaving.abort()
  await expect.poll(statusOf).toBe(200)
  const next = eventsOf(open20[1] as Response)
  expect(await next()).toBeDefined()
  // A browser opens connections on which it asks nothing.
  const unused = connect(Number(new URL(url).port), '127.0.0.1')
  const ended = once(unused, 'close')
  await once(unused, 'connect')
  const began = Date.now()
  // It would wait for ever for the streams, and for half a minute for the connection.
  await server.app.close()
  expect(await next()).toBeUndefined()
  await ended
  expect(Date.now() - began).toBeLessThan(20_000)
})
