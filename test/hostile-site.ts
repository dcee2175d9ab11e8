import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import { type Engines, startEngines } from '../embedded/engines.ts'
import { capture, currentSlot } from '../ingest/capture.ts'
import { loadAll } from '../ingest/load.ts'
import { running } from './ad-hoc.ts'
import { freshDatabases } from './database.ts'
import { smallMarket } from './market.ts'
import { startServer, type TestServer } from './server.ts'

/** A service with its own engine, so that other tests are not disturbed. */
export interface HostileSite {
  dir: string
  engines: Engines
  server: TestServer
  base: string
  /** Runs a statement as an admin, or with another key. */
  ask(query: string, key?: string): Promise<{ status: number; headers: Headers; text: string }>
  /** Waits until the engine of ad hoc SQL answers, which may have been restarted. */
  works(): Promise<void>
  /** Waits until the engine runs a statement with this text. */
  begun(text: string): Promise<void>
  /** The processes of ad hoc SQL. */
  processes(): string[]
  close(): Promise<void>
}

export async function openHostileSite(): Promise<HostileSite> {
  const dir = mkdtempSync(join(tmpdir(), 'rackrate-hostile-'))
  const engines = await startEngines(dir, { postgres: false, clickhouse: true, database: 'test_*' })
  const server = await startServer({ databases: await freshDatabases(undefined, engines.clickhouse) })
  await smallMarket(server.postgres, 40)
  await capture(server.postgres, await currentSlot(server.postgres, 300))
  await loadAll(server)
  const base = await server.app.listen({ host: '127.0.0.1', port: 0 })
  const ask: HostileSite['ask'] = async (query, key = server.adminKey) => {
    const response = await fetch(`${base}/api/v0/metrics/sql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query, format: 'TSV' }),
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  const answers = { status: 200, text: 'n\n1\n' }
  return {
    dir,
    engines,
    server,
    base,
    ask,
    works: () =>
      vi.waitFor(
        async () => expect(await ask('SELECT count() > 0 AS n FROM observations')).toMatchObject(answers),
        { timeout: 60_000, interval: 500 },
      ),
    begun: (text) =>
      vi.waitFor(
        async () =>
          expect((await running(server)).filter(({ query }) => query.includes(text))).toHaveLength(1),
        { timeout: 60_000, interval: 100 },
      ),
    processes: () => readdirSync('/proc').filter((pid) => isAdHoc(pid, dir)),
    async close() {
      await server.close()
      await engines.stop()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

function isAdHoc(pid: string, dir: string): boolean {
  try {
    const command = /^\d+$/.test(pid) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8') : ''
    return command.includes(join(dir, 'clickhouse/ad-hoc'))
  } catch {
    return false // it has ended
  }
}
