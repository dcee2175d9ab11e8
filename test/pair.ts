import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createSocket } from 'node:net'
import { join } from 'node:path'
import { type ClickHouseServer, startClickHouse } from '../embedded/clickhouse.ts'

const cluster = 'pair'

/** A cluster of two shards, spoken to like one server. */
export interface Pair extends ClickHouseServer {
  cluster: string
  stop(): Promise<void>
}

/**
 * Two embedded servers as the shards of a cluster. They can neither replicate nor share statements, so a proxy does: it sends a
 * statement ON CLUSTER to each, without Replicated engines, and every other one to the first server.
 */
export async function startPair(dir: string, database: string): Promise<Pair> {
  const ports = await Promise.all([freePort(), freePort()])
  const secret = randomBytes(16).toString('hex')
  const shards = await Promise.all(
    ports.map((_, index) => {
      const own = join(dir, `shard-${index}`)
      mkdirSync(own)
      return startClickHouse(own, database, () => {}, {
        shard: { cluster, secret, ports, index },
        keepsMemory: true,
      })
    }),
  )
  const servers = shards.map(({ server }) => server)
  const [first] = servers
  if (!first) throw new Error('a pair has two')
  const proxy = createServer((incoming, outgoing) => {
    forward(servers, incoming, outgoing).catch(() => outgoing.destroy())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return {
    ...first,
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    cluster,
    async stop() {
      proxy.closeAllConnections()
      proxy.close()
      await Promise.all(shards.map((shard) => shard.stop()))
    },
  }
}

async function forward(servers: ClickHouseServer[], incoming: IncomingMessage, outgoing: ServerResponse) {
  const [first, ...others] = servers as [ClickHouseServer, ...ClickHouseServer[]]
  const { method = 'POST', headers, url: path = '/' } = incoming
  const send = (server: ClickHouseServer, authorization = headers.authorization) =>
    request(new URL(path, server.url), { method, headers: { ...headers, authorization } })
  const answer = (sent: ReturnType<typeof request>) =>
    sent
      .on('response', (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers)
        response.pipe(outgoing)
      })
      .on('error', () => outgoing.destroy())

  // With the statement in the address, the body is data.
  if (/[?&]query=/.test(path)) {
    const sent = answer(send(first))
    outgoing.on('close', () => sent.destroy())
    return incoming.pipe(sent)
  }
  const statement = Buffer.concat(await incoming.toArray()).toString('utf8')
  const onEach = statement.replaceAll(` ON CLUSTER '${cluster}'`, '')
  const wanted =
    onEach === statement ? statement : onEach.replace(/Replicated(\w+\()'[^']+', '[^']+'(?:, )?/g, '$1')
  delete headers['content-length']
  if (wanted !== statement) {
    for (const { username, password, ...server } of others) {
      const { statusCode, text } = await new Promise<{ statusCode?: number | undefined; text: string }>(
        (resolve, reject) => {
          const basic = Buffer.from(`${username}:${password}`).toString('base64')
          send({ username, password, ...server }, `Basic ${basic}`)
            .on('response', async (response) =>
              resolve({
                statusCode: response.statusCode,
                text: Buffer.concat(await response.toArray()).toString(),
              }),
            )
            .on('error', reject)
            // Callers that wait for a backup read its state from the first server.
            .end(wanted.replace(' ASYNC', ''))
        },
      )
      if (statusCode !== 200) return outgoing.writeHead(statusCode ?? 502).end(text)
    }
  }
  const sent = answer(send(first))
  outgoing.on('close', () => sent.destroy())
  return sent.end(wanted)
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const socket = createSocket().listen(0, '127.0.0.1', () => {
      const { port } = socket.address() as AddressInfo
      socket.close(() => resolve(port))
    })
  })
