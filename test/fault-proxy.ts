import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Fault {
  /** The statement to wait for. */
  statement: RegExp
  /**
   * `before`: ClickHouse does not receive the request. `after`: ClickHouse has executed it when `strike` is called, and its
   * answer is lost. `late`: ClickHouse receives it when `strike` is done, even if no caller waits for the answer.
   */
  when: 'before' | 'after' | 'late'
  strike: () => unknown
}

/** An HTTP proxy in front of ClickHouse that strikes once at a given statement. */
export async function openFaultProxy(target: string) {
  let armed: (Fault & { done: () => void }) | undefined
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', async () => {
      const body = Buffer.concat(chunks)
      const statement = `${decodeURIComponent((incoming.url ?? '').replaceAll('+', ' '))} ${body.subarray(0, 20_000).toString('utf8')}`
      const fault = armed?.statement.test(statement) ? armed : undefined
      if (fault) armed = undefined
      if (fault?.when === 'before') return fault.strike()
      if (fault?.when === 'late') await fault.strike()
      const forward = request(
        new URL(incoming.url ?? '/', target),
        { method: incoming.method, headers: incoming.headers },
        (answer) => {
          if (fault?.when === 'after') {
            answer.resume().on('end', fault.strike)
            return
          }
          if (fault) answer.on('end', fault.done)
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
    /** Waits for a statement; resolves when the fault has struck, and when ClickHouse is done with a late statement. */
    arm: (statement: RegExp, when: Fault['when'], strike: Fault['strike']) =>
      new Promise<void>((resolve, reject) => {
        armed = {
          statement,
          when,
          done: resolve,
          strike: async () => {
            await Promise.resolve(strike()).catch(reject)
            if (when !== 'late') resolve()
          },
        }
      }),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
