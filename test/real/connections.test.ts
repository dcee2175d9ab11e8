import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { json, text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { selectRows } from '../../platform/stores/clickhouse.ts'
import { startServer, type TestServer } from '../server.ts'

let server: TestServer
let port: number
const sockets: Socket[] = []
/** Milliseconds between the server's checks for late requests. */
const checkedEveryMs = 5000
beforeAll(async () => {
  server = await startServer()
  const slow = { handlerTimeout: 50, config: { permissions: 'none' as const } }
  server.app.get('/api/v0/never', slow, () => new Promise(() => {}))
  server.app.post('/api/v0/body', slow, async () => ({ success: true }))
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  port = (server.app.server.address() as AddressInfo).port
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await server?.close()
})

/** A connection whose client does not close its side when the server has. */
function open(): Socket {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {})
  sockets.push(socket)
  return socket
}
/** GET on a connection that is closed afterwards. */
const ask = async (path: string): Promise<IncomingMessage> => {
  const [answer] = await once(get({ port, path, agent: false }), 'response')
  return answer
}
const openConnections = () =>
  new Promise<number>((resolve) => server.app.server.getConnections((_, count) => resolve(count)))

it('a handler that takes too long is answered 503 with Retry-After', async () => {
  const answer = await ask('/api/v0/never')
  expect(answer.statusCode).toBe(503)
  expect(answer.headers['retry-after']).toBe('5')
  expect(await json(answer)).toMatchObject({ success: false, error: 'unavailable' })
})

const halfARequest = (head: string) =>
  `${head} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{`

it('a body that comes too slowly is answered 408 once, and ends its connection', async () => {
  const socket = open()
  socket.write(halfARequest('POST /api/v0/body'))
  const answer = await text(socket)
  expect(answer).toMatch(/^HTTP\/1\.1 408 /)
  expect(answer).toMatch(/\r\nconnection: close\r\n/i)
  expect(answer).toContain('"error":"timeout"')
  expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1)
})

it('a head that comes too slowly is answered 408 before its connection counts as idle', async () => {
  const { headersTimeout, timeout } = server.app.server
  expect(headersTimeout + checkedEveryMs).toBeLessThan(timeout)
  server.app.server.headersTimeout = 1
  const socket = open()
  socket.write('GET /healthz HTTP/1.1\r\nhost')
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 /)
  server.app.server.headersTimeout = headersTimeout
})

it('a request that is answered before its body has come gets no second answer', async () => {
  const { headersTimeout, requestTimeout } = server.app.server
  Object.assign(server.app.server, { headersTimeout: 1, requestTimeout: 1 })
  const socket = open()
  socket.write(halfARequest('POST /api/v0/ssh'))
  const answer = await text(socket)
  expect(answer).toMatch(/^HTTP\/1\.1 401 /)
  expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1)
  Object.assign(server.app.server, { headersTimeout, requestTimeout })
})

it('clients that keep their side open after an error answer are cut off', async () => {
  const talking = Array.from({ length: 50 }, () => open().resume())
  for (const socket of talking) socket.write('not HTTP at all\r\n\r\n')
  await Promise.all(talking.map((socket) => once(socket, 'end')))
  await expect.poll(openConnections).toBe(0)
})

it('an address can hold 500 connections, and open another when one has closed', async () => {
  const held = Array.from({ length: 500 }, () => open().resume())
  await expect.poll(openConnections).toBe(500)
  await once(open().resume(), 'end')
  held[0]?.destroy()
  await expect.poll(openConnections).toBe(499)
  expect((await ask('/healthz')).statusCode).toBe(200)
})

it('a statement is sent only the parameters in its text: ClickHouse refuses one of 200 kB', async () => {
  const parameters = { one: 1, long: Array.from({ length: 20_000 }, (_, n) => 1_700_000_000 + n) }
  const ask = (text: string) => selectRows(server.clickhouse, text, parameters)
  expect(await ask('SELECT {one:UInt8} AS answer')).toEqual([{ answer: 1 }])
  await expect(ask('SELECT length({long:Array(UInt32)}) AS answer')).rejects.toThrow('Field value too long')
})
