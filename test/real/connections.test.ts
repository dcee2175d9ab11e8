import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { selectRows } from '../../platform/stores/clickhouse.ts'
import { startServer, type TestServer } from '../server.ts'

let server: TestServer
let port: number
const sockets: Socket[] = []
beforeAll(async () => {
  server = await startServer()
  const slow = { handlerTimeout: 50, config: { permissions: 'none' as const } }
  server.app.get('/api/v0/never', slow, () => new Promise(() => {}))
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
  return socket.resume()
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

it('clients that keep their side open after an error answer are cut off', async () => {
  for (let n = 0; n < 50; n += 1) open().write('not HTTP at all\r\n\r\n')
  await Promise.all(sockets.map((socket) => once(socket, 'end')))
  await expect.poll(openConnections).toBe(0)
})

it('an address can hold 500 connections, and open another when one has closed', async () => {
  const held = Array.from({ length: 500 }, open)
  await expect.poll(openConnections).toBe(500)
  await once(open(), 'end')
  held[0]?.destroy()
  await expect.poll(openConnections).toBe(499)
  expect((await ask('/healthz')).statusCode).toBe(200)
})

it('a statement is sent only the parameters that its text names: ClickHouse refuses one of 200 kB', async () => {
  const parameters = { one: 1, long: Array.from({ length: 20_000 }, (_, n) => 1_700_000_000 + n) }
  const ask = (text: string) => selectRows(server.clickhouse, text, parameters)
  expect(await ask('SELECT {one:UInt8} AS answer')).toEqual([{ answer: 1 }])
  await expect(ask('SELECT length({long:Array(UInt32)}) AS answer')).rejects.toThrow('Field value too long')
})
