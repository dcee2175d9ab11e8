import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as pause, setImmediate as readOn } from 'node:timers/promises'

const farewellMs = 1000

export interface ConnectionOptions {
  /**
   * The most open connections of one address. A proxy holds the connections of all its clients, so behind proxies there is no
   * such limit.
   */
  mostOfAddress: number
}

/**
 * Watches the connections of a server, and closes new connections of an address beyond the limit. Returns a function that ends
 * all connections at a stop:
 *
 * The server continues to answer for a moment before idle connections are closed. Each answer asks its client to open a new
 * connection, so that no request is lost on a connection that ends. A stop without open connections takes no longer. Node does
 * not count a connection without any request as idle, and would wait until it times out. Browsers open some in advance.
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
    const opened = [...open] // Newer connections may be about to send a request.
    if (opened.length > 0) await pause(farewellMs)
    // On a busy machine a request may have arrived that is not read yet.
    await readOn()
    for (const socket of opened) if (socket.bytesRead === 0) socket.destroy()
  }
}

const longestGoodbyeMs = 1000

/**
 * Sends the last bytes of a connection. A client that has not closed its side a second later is cut off: otherwise it could keep
 * the connection open forever with a byte now and then. An immediate end would be too early: the bytes that the client still
 * sends would make its system drop the answer unread.
 */
export function endWith(socket: Socket, text: string): void {
  const cut = setTimeout(() => socket.destroy(), longestGoodbyeMs).unref()
  socket.once('close', () => clearTimeout(cut))
  socket.end(text)
}
