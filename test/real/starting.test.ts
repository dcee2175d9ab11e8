import { type AddressInfo, connect, createServer } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPostgres, untilStarted } from '../../platform/stores/postgres.ts'
import { freshDatabases, type TestDatabases } from '../database.ts'

// Processes that start while PostgreSQL recovers.

let databases: TestDatabases
beforeAll(async () => {
  databases = await freshDatabases()
})
afterAll(() => databases?.close())

/** The answer of a server to a new connection while it cannot serve it. */
function refusal(code: string, message: string): Buffer {
  const fields = `SFATAL\0VFATAL\0C${code}\0M${message}\0\0`
  const answer = Buffer.alloc(5 + fields.length)
  answer.write('E')
  answer.writeInt32BE(4 + fields.length, 1)
  answer.write(fields, 5)
  return answer
}

/** A server in front of PostgreSQL that refuses the first connections. */
async function openRefusing(code: string, times: number) {
  const { hostname, port } = new URL(databases.queues.databaseUrl)
  let refused = 0
  const server = createServer((socket) => {
    socket.on('error', () => {})
    if (refused < times) {
      refused += 1
      socket.once('data', () => socket.end(refusal(code, 'not now')))
      return
    }
    const behind = connect(Number(port || 5432), hostname)
    behind.on('error', () => socket.destroy())
    socket.pipe(behind).pipe(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(databases.queues.databaseUrl)
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url: url.href, refused: () => refused, close: () => server.close() }
}

it('wait until PostgreSQL has started, and report any other refusal at once', async () => {
  const starting = await openRefusing('57P03', 3)
  const postgres = openPostgres(starting.url, () => {})
  await untilStarted(postgres, { orAway: false })
  expect(starting.refused()).toBe(3)
  await postgres.end()
  starting.close()

  const full = await openRefusing('53300', 3)
  const refused = openPostgres(full.url, () => {})
  await expect(untilStarted(refused, { orAway: false })).rejects.toThrow('not now')
  expect(full.refused()).toBe(1)
  await refused.end()
  full.close()
})
