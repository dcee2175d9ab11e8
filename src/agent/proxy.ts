import { lookup } from 'node:dns/promises'
import { createServer, request as httpRequest } from 'node:http'
import { connect, type Socket } from 'node:net'
import { toError } from '../../contract/failure.ts'
import { isPrivate } from '../../platform/security/private-network.ts'

/**
 * The only way out of rclone's sandbox: an HTTP proxy on a Unix socket. Every connection, also after a redirect, goes to the
 * checked address, and never to the host's own network unless that is allowed. The library proxy-chain is not used: it closes
 * connections without a remote address, as connections of a Unix socket are.
 */
export async function openProxy(path: string, allowPrivate: boolean): Promise<{ close(): void }> {
  const addressOf = async (host: string): Promise<string> => {
    const addresses = await lookup(host.replace(/^\[|\]$/g, ''), { all: true })
    const allowed = addresses.find(({ address }) => allowPrivate || !isPrivate(address))
    if (!allowed) throw new Error(`${host} is not on the public internet`)
    return allowed.address
  }

  const server = createServer(async (request, response) => {
    try {
      const url = new URL(request.url ?? '')
      const { 'proxy-connection': _, ...headers } = request.headers
      const forward = httpRequest(
        {
          host: await addressOf(url.hostname),
          port: url.port || 80,
          path: url.pathname + url.search,
          method: request.method,
          headers: { ...headers, host: url.host },
        },
        (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers)
          answer.pipe(response)
        },
      )
      forward.on('error', () => response.destroy())
      request.pipe(forward)
    } catch (error) {
      response.writeHead(403).end(`${toError(error).message}\n`)
    }
  })
  server.on('connect', async (request, client: Socket) => {
    client.on('error', () => {})
    try {
      const url = new URL(`https://${request.url}`)
      const upstream = connect(Number(url.port || 443), await addressOf(url.hostname), () => {
        client.write('HTTP/1.1 200 OK\r\n\r\n')
        upstream.pipe(client).pipe(upstream)
      })
      upstream.on('error', () => client.destroy())
      client.on('close', () => upstream.destroy())
    } catch {
      client.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    }
  })
  // The sandbox keeps an idle connection open to notice the end of this process.
  server.headersTimeout = 0
  server.requestTimeout = 0
  await new Promise<void>((resolve) => server.listen(path, resolve))
  return {
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
