import { rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type AdHocEngine, answer, startAdHocEngine } from './ad-hoc-engine.ts'
import type { AdHocOptions } from './ad-hoc-process.ts'
import { basicOf } from './clickhouse-config.ts'
import { findSeriesFiles } from './series-files.ts'

/** Bytes of a request's address, which contains the values of parameters. ClickHouse's own limit is the same. */
const longestAddress = 1_048_576

/** The address of ad hoc SQL. The first statement starts an engine process of its own, which is stopped when idle. */
export interface AdHocGateway {
  url: string
  close(): Promise<void>
}

// Milliseconds that a connection is kept. The engine's answers promise 30 s. If a connection ended sooner, a statement that is
// being sent would fail.
const keptMs = 35_000

export async function openAdHocGateway(options: AdHocOptions & { port: number }): Promise<AdHocGateway> {
  const { dir, dataDir, analyst, operator, log } = options
  rmSync(dir, { recursive: true, force: true })
  const engines = new Map<string, Promise<AdHocEngine>>()
  const retired = new Set<AdHocEngine>()

  const start = (database: string, files: NonNullable<ReturnType<typeof findSeriesFiles>>) => {
    const starting = startAdHocEngine(options, database, files)
    engines.set(database, starting)
    const forget = () => engines.get(database) === starting && engines.delete(database)
    starting.then((engine) => engine.ended).then(forget, forget)
    return starting
  }
  /** The engine that reads the current tables of the database. If several requests arrive at once, one starts it. */
  const engineFor = async (database: string): Promise<AdHocEngine | undefined> => {
    for (;;) {
      const starting = engines.get(database)
      const engine = await starting
      if (engines.get(database) !== starting) continue
      const files = findSeriesFiles(dataDir, database)
      if (engine && files && engine.isCurrent(files)) return engine
      engines.delete(database)
      if (engine) {
        retired.add(engine)
        engine.ended.then(() => retired.delete(engine))
        engine.retire()
      }
      return files && start(database, files)
    }
  }

  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { authorization } = incoming.headers
    const database = new URL(incoming.url ?? '/', 'http://localhost').searchParams.get('database') ?? ''
    if (authorization === basicOf(operator)) {
      // If no engine runs, there is nothing to read or to end.
      const engine = await engines.get(database)?.catch(() => undefined)
      return engine ? engine.forward(incoming, outgoing) : answer(outgoing, 200, '')
    }
    if (authorization !== basicOf(analyst))
      return answer(outgoing, 403, 'Code: 516. DB::Exception: Authentication failed. (AUTHENTICATION_FAILED)')
    const engine = await engineFor(database)
    if (engine) engine.forward(incoming, outgoing)
    else
      answer(outgoing, 404, `Code: 81. DB::Exception: There is no database ${database}. (UNKNOWN_DATABASE)`)
  }

  const server = createServer(
    { keepAliveTimeout: keptMs, maxHeaderSize: longestAddress },
    (incoming, outgoing) => {
      serve(incoming, outgoing).catch((error: Error) => {
        log(`ad hoc SQL: ${error.message}\n`)
        answer(outgoing, 503, 'Code: 236. DB::Exception: The engine for ad hoc SQL does not start. (ABORTED)')
      })
    },
  )
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(options.port, '127.0.0.1', resolve),
  )
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      const running = await Promise.allSettled(engines.values())
      const all = running.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
      await Promise.all([...all, ...retired].map((engine) => engine.kill()))
    },
  }
}
