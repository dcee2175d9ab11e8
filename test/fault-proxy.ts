import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Fault {
  /** The statement to wait for. */
  statement: RegExp
  /** Whether ClickHouse gets it before `strike` is called. */
  when: 'before' | 'after'
  strike: () => void
}

/** An HTTP proxy before ClickHouse that strikes once at a given statement, and answers it no more. */
export async function openFaultProxy(target: string) {
  let armed: Fault | undefined
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const body = Buffer.concat(chunks)
      const statement = `${decodeURIComponent((incoming.url ?? '').replaceAll('+', ' '))} ${body.subarray(0, 20_000).toString('utf8')}`
      const fault = armed?.statement.test(statement) ? armed : undefined
      if (fault) armed = undefined
      if (fault?.when === 'before') return fault.strike()
      const forward = request(
        new URL(incoming.url ?? '/', target),
        { method: incoming.method, headers: incoming.headers },
        (answer) => {
          if (fault) {
            answer.resume().on('end', fault.strike)
            return
          }
          outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
          answer.pipe(outgoing)
        },
      )
      forward.on('error', () => outgoing.destroy())
      forward.end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Waits for a statement; resolves when the fault has struck. */
    arm: (statement: RegExp, when: Fault['when'], strike: () => void) =>
      new Promise<void>((resolve) => {
        armed = {
          statement,
          when,
          strike: () => {
            strike()
            resolve()
          },
        }
      }),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
