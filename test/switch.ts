import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'

export interface Switch {
  /** The address of the switch: host and port. */
  host: string
  /** Ends all connections and refuses new ones. */
  off(): Promise<void>
  on(): Promise<void>
}

/** Opens a TCP port in front of a server, which can be switched off as if the server were stopped. */
export async function openSwitch(target: URL): Promise<Switch> {
  const sockets = new Set<Socket>()
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).once('close', () => sockets.delete(socket))
  }
  const server = createServer((incoming) => {
    const outgoing = connect(Number(target.port), target.hostname)
    keep(incoming)
    keep(outgoing)
    incoming.pipe(outgoing).pipe(incoming)
    incoming.once('close', () => outgoing.destroy())
    outgoing.once('close', () => incoming.destroy())
  })
  const listen = (port: number) =>
    new Promise<void>((resolve) => {
      server.listen(port, '127.0.0.1', resolve)
    })
  await listen(0)
  const { port } = server.address() as AddressInfo
  return {
    host: `127.0.0.1:${port}`,
    off: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
    on: () => listen(port),
  }
}
