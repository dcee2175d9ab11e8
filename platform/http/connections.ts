import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as pause, setImmediate as readOn } from 'node:timers/promises'

const farewellMs = 1000

export interface ConnectionOptions {
  /** The most open connections of one address. One proxy holds those of all its clients, so behind proxies there is no such limit. */
  mostOfAddress: number
}

/**
 * Watches the connections of a server. Those of an address beyond the limit are closed as they open. Returns what ends them all at a stop:
 *
 * It goes on answering for a moment before idle connections are closed: each answer asks its client to open a new connection, so that no
 * request is on its way on one that ends. A stop without open connections takes no longer. Connections on which nothing was ever asked are
 * not idle to Node, which would wait for them until they time out. Browsers open some ahead of need.
 */
export function watchConnections(server: Server, { mostOfAddress }: ConnectionOptions): () => Promise<void> {
  const open = new Set<Socket>()
  const openOf = new Map<string, number>()
  server.on('connection', (socket) => {
    const { remoteAddress = '' } = socket
    const count = (openOf.get(remoteAddress) ?? 0) + 1
    if (count > mostOfAddress) return void socket.destroy()
    open.add(socket)
    openOf.set(remoteAddress, count)
    socket.once('close', () => {
      open.delete(socket)
      const left = (openOf.get(remoteAddress) ?? 1) - 1
      if (left > 0) openOf.set(remoteAddress, left)
      else openOf.delete(remoteAddress)
    })
  })
  return async () => {
    const opened = [...open] // those that come now may just be about to ask
    if (opened.length > 0) await pause(farewellMs)
    // On a busy machine a request may have come that was not read yet.
    await readOn()
    for (const socket of opened) if (socket.bytesRead === 0) socket.destroy()
  }
}

const longestGoodbyeMs = 1000

/**
 * Sends the last bytes of a connection. A client that has not closed its side a second later is cut off: it could keep the connection
 * open for ever with a byte now and then. At once would be too early, since what it still sends would make its system drop the answer unread.
 */
export function endWith(socket: Socket, text: string): void {
  const cut = setTimeout(() => socket.destroy(), longestGoodbyeMs).unref()
  socket.once('close', () => clearTimeout(cut))
  socket.end(text)
}
