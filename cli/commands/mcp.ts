import type { Command } from 'commander'
import { UsageError } from '../../platform/usage-error.ts'
import type { CallApi } from '../../src/mcp/call-api.ts'
import { withConfig } from '../command.ts'
import { systemClock } from '../system-clock.ts'

const patienceMs = 90_000

export const mcp = (program: Command) =>
  program
    .command('mcp')
    .description('serve assistants over MCP on stdin and stdout, with the API at RACKRATE_URL')
    .action(
      withConfig(async ({ config: { apiUrl = 'http://127.0.0.1:8080', apiKey } }) => {
        if (!apiKey) throw new UsageError('RACKRATE_KEY must be an API key.')
        const { serveStdio } = await import('@modelcontextprotocol/server/stdio')
        const { makeMcpServer } = await import('../../src/mcp/server.ts')
        const call = await callAt(apiUrl, apiKey)
        const { status, body } = await call('GET', '/api/v0/users/current')
        if (status !== 200)
          throw new Error(`${apiUrl} answered with status ${status}. Check RACKRATE_URL and RACKRATE_KEY.`)
        const { is_admin: isAdmin } = body as { is_admin: boolean }
        serveStdio(() => makeMcpServer({ call, clock: systemClock, isAdmin }), {
          onerror: (error) => console.error(`rackrate: ${error.message}`),
        })
      }),
    )

/** Calls the API over the network. */
async function callAt(url: string, key: string): Promise<CallApi> {
  const { readAnswer } = await import('../../src/mcp/call-api.ts')
  return async (method, path, body) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
      signal: AbortSignal.timeout(patienceMs),
      ...(body && { body: JSON.stringify(body) }),
    })
    const { status, headers } = response
    return readAnswer(status, Object.fromEntries(headers), response.body ?? new ReadableStream())
  }
}
