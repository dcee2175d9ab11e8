import type { AddressInfo } from 'node:net'
import { connect, createServer, type Server, type Socket } from 'node:net'

export type Away = 'refused' | 'silent'

/**
 * A TCP proxy in front of a server that can simulate an outage: `refused` ends and refuses connections, `silent` keeps connections open without
 * passing data.
 */
export async function openGate(target: string) {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let isSilent = false
  const server: Server = createServer((incoming) => {
    const outgoing = connect(Number(port), hostname)
    for (const [from, to] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(from)
      from.on('data', (chunk) => isSilent || to.write(chunk))
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        if (!isSilent) to.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port: own } = server.address() as AddressInfo
  const end = () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  return {
    /** The address of the server behind the gate, as clients have to use it. */
    url: withHost(target, `127.0.0.1:${own}`),
    connections: () => sockets.size / 2,
    shut(away: Away) {
      if (away === 'refused') end()
      else isSilent = true
    },
    /** Ends all connections and takes new ones. */
    async open() {
      for (const socket of sockets) socket.destroy()
      isSilent = false
      if (!server.listening) await new Promise<void>((resolve) => server.listen(own, '127.0.0.1', resolve))
    },
    close: end,
  }
}

function withHost(target: string, host: string): string {
  const url = new URL(target)
  url.host = host
  return url.href.replace(/\/$/, '')
}
