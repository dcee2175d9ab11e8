import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  id: string
  timestamp: number
  signature: string
  path: string
  body: string
}

/** A real receiver of webhooks. `answer` may do anything with the response; 200 unless given. */
export async function startReceiver(
  answer: (response: ServerResponse, received: Received) => void = (response) => response.end(),
) {
  const received: Received[] = []
  const handlers = { answer }
  const server = createServer(async (request: IncomingMessage, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { headers, url: path = '' } = request
    const one = {
      id: String(headers['webhook-id']),
      timestamp: Number(headers['webhook-timestamp']),
      signature: String(headers['webhook-signature']),
      path,
      body: Buffer.concat(chunks).toString('utf8'),
    }
    received.push(one)
    handlers.answer(response, one)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    handlers,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** True if a message was signed with a secret, as the specification requires. */
export function isSigned({ id, timestamp, signature, body }: Received, secret: string): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return signature === `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}
