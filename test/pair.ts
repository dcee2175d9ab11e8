import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createSocket } from 'node:net'
import { join } from 'node:path'
import { type ClickHouseServer, startClickHouse } from '../embedded/clickhouse.ts'

/** A cluster, spoken to like one server. */
export interface Cluster extends ClickHouseServer {
  cluster: string
}

/** A cluster of two shards. */
export async function startPair(dir: string, database: string) {
  const { clusters, stop } = await startClusters(dir, database, { pair: 2 })
  return { ...clusters.pair, stop }
}

/**
 * Embedded servers as the shards of clusters, each of which has the given number of them, from the first on. They can neither
 * replicate nor share statements, so a proxy does: it sends a statement ON CLUSTER to each, without Replicated engines, and every
 * other one to the first server.
 */
export async function startClusters<Name extends string>(
  dir: string,
  database: string,
  sizes: Record<Name, number>,
): Promise<{
  clusters: Record<Name, Cluster>
  shards: { server: ClickHouseServer; stop: () => Promise<void> }[]
  stop: () => Promise<void>
}> {
  const names = Object.keys(sizes) as Name[]
  const most = Math.max(...names.map((name) => sizes[name]))
  const ports = await Promise.all(Array.from({ length: most }, freePort))
  const secret = randomBytes(16).toString('hex')
  const portsOf = Object.fromEntries(names.map((name) => [name, ports.slice(0, sizes[name])]))
  const shards = await Promise.all(
    ports.map((port, index) => {
      const own = join(dir, `shard-${index}`)
      mkdirSync(own)
      return startClickHouse(own, database, () => {}, {
        shard: { secret, port, clusters: portsOf },
        keepsMemory: true,
      })
    }),
  )
  const servers = shards.map(({ server }) => server)
  const proxies = await Promise.all(names.map((name) => openProxy(name, servers.slice(0, sizes[name]))))
  return {
    clusters: Object.fromEntries(proxies.map(({ server }) => [server.cluster, server])) as Record<
      Name,
      Cluster
    >,
    shards,
    async stop() {
      for (const proxy of proxies) proxy.close()
      await Promise.all(shards.map((shard) => shard.stop()))
    },
  }
}

async function openProxy(cluster: string, servers: ClickHouseServer[]) {
  const [first] = servers
  if (!first) throw new Error(`cluster ${cluster} has no shard`)
  const proxy = createServer((incoming, outgoing) => {
    forward(cluster, servers, incoming, outgoing).catch(() => outgoing.destroy())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const server: Cluster = {
    ...first,
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    cluster,
  }
  return {
    server,
    close() {
      proxy.closeAllConnections()
      proxy.close()
    },
  }
}

async function forward(
  cluster: string,
  servers: ClickHouseServer[],
  incoming: IncomingMessage,
  outgoing: ServerResponse,
) {
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
