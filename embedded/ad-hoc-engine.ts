import { rmSync } from 'node:fs'
import { Agent, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AdHocOptions, adHocMemoryBytes, startAdHocProcess } from './ad-hoc-process.ts'
import { exitOf } from './child.ts'
import { basicOf } from './clickhouse-config.ts'
import { findSeriesFiles, hasChanged, type SeriesFiles } from './series-files.ts'

// Seconds that a statement may exceed its time limit; milliseconds between checks; failed checks in a row that end the process
// (the check timed out, or statements run on although their callers have left); milliseconds after which an idle process ends.
const graceSeconds = 5
const lookMs = 2000
const mostLooks = 3
const idleMs = 5 * 60_000

const ends = {
  ended:
    'Code: 236. DB::Exception: The engine for ad hoc SQL ended while the statement ran. Run it again. (ABORTED)',
  memory: `Code: 241. DB::Exception: The engine for ad hoc SQL was ended because its statements took more than ${Math.round(adHocMemoryBytes / 2 ** 20)} MB of memory. (MEMORY_LIMIT_EXCEEDED)`,
  time: 'Code: 159. DB::Exception: The engine for ad hoc SQL was ended because a statement outlasted its limit of time. (TIMEOUT_EXCEEDED)',
}

/** A process that reads the tables of one database of another engine's data directory. */
export interface AdHocEngine {
  /** Forwards a request, and returns its answer. */
  forward(incoming: IncomingMessage, outgoing: ServerResponse): void
  /** False when the process has ended, or would read outdated tables. */
  isCurrent(now: SeriesFiles): boolean
  /** Lets the requests in progress end, then ends the process. */
  retire(): void
  /** Resolves when the process has ended. */
  ended: Promise<void>
  /** Ends at once. */
  kill(): Promise<void>
}

export async function startAdHocEngine(
  options: AdHocOptions,
  database: string,
  files: SeriesFiles,
): Promise<AdHocEngine> {
  const { child, port, folder, limitSeconds } = await startAdHocProcess(options, database, files)
  // Unused connections are closed before the engine closes them, after 30 s.
  const agent = new Agent({ keepAlive: true, timeout: 15_000 })
  const open = new Set<ServerResponse>()
  let seen = findSeriesFiles(options.dataDir, database) ?? files
  let [alive, retired, usedAt, mayRun] = [!hasChanged(files, seen), false, performance.now(), false]
  let end = ends.ended
  child.stderr.on('data', (text: string) => {
    if (text.includes('memory limit reached')) end = ends.memory
  })
  const ended = exitOf(child).then(() => {
    alive = false
    clearInterval(looking)
    agent.destroy()
    for (const response of open) answer(response, 500, end)
    rmSync(folder, { recursive: true, force: true })
  })
  const kill = async () => {
    alive = false
    child.kill('SIGKILL')
    await ended
  }

  let [isLooking, unanswered, abandoned] = [false, 0, 0]
  const look = async () => {
    if (open.size === 0 && !mayRun) {
      if (retired || performance.now() - usedAt > idleMs) await kill()
      return
    }
    const seconds = await longestStatement(port, options).catch(() => Number.NaN)
    unanswered = Number.isNaN(seconds) ? unanswered + 1 : 0
    mayRun = seconds !== undefined
    abandoned = mayRun && open.size === 0 ? abandoned + 1 : 0
    const isOver = (seconds ?? 0) > limitSeconds + graceSeconds
    if (!alive || !(isOver || unanswered === mostLooks || abandoned === mostLooks)) return
    end = ends.time
    options.log(`${end}\n`)
    await kill()
  }
  const looking = setInterval(() => {
    if (isLooking) return
    isLooking = true
    look().finally(() => {
      isLooking = false
    })
  }, lookMs)

  return {
    ended,
    kill,
    retire() {
      retired = true
    },
    isCurrent(now) {
      if (!alive || hasChanged(seen, now)) return false
      seen = now
      return true
    },
    forward(incoming, outgoing) {
      usedAt = performance.now()
      mayRun = true
      open.add(outgoing)
      const passed = pass({ incoming, outgoing, agent, port })
      // The exit of the process, which follows in a moment, gives the reason.
      passed.on('error', () => setTimeout(() => answer(outgoing, 500, end), 100))
      outgoing.on('close', () => {
        open.delete(outgoing)
        passed.destroy()
      })
    },
  }
}

interface Passing {
  incoming: IncomingMessage
  outgoing: ServerResponse
  agent: Agent
  port: number
}

function pass({ incoming, outgoing, agent, port }: Passing) {
  const { url: path, method, headers } = incoming
  const passed = request({ host: '127.0.0.1', port, path, method, headers, agent })
  passed.on('response', (response) => {
    outgoing.writeHead(response.statusCode ?? 502, response.headers)
    response.pipe(outgoing)
    // The answer is cut off as the engine cut it off, but only after all received bytes. The last of them may be ClickHouse's
    // message of a failure half way. Node passes no further bytes of a cut-off answer.
    response.on('error', () => {
      for (let part = response.read(); part !== null; part = response.read()) outgoing.write(part)
      outgoing.socket?.destroySoon()
    })
  })
  return incoming.pipe(passed)
}

/** Seconds of the longest running statement; undefined when none runs. */
async function longestStatement(
  port: number,
  { analyst, operator }: AdHocOptions,
): Promise<number | undefined> {
  const query = `SELECT max(elapsed) FROM system.processes WHERE user = '${analyst.username}' HAVING count() > 0`
  const response = await fetch(`http://127.0.0.1:${port}/?query=${encodeURIComponent(query)}`, {
    headers: { authorization: basicOf(operator) },
    signal: AbortSignal.timeout(graceSeconds * 1000),
  })
  const text = await response.text()
  return text === '' ? undefined : Number(text)
}

/** Answers as ClickHouse does. An answer that has begun is cut off instead. */
export function answer(response: ServerResponse, status: number, text: string): void {
  if (response.headersSent) response.destroy()
  else if (!response.destroyed)
    response.writeHead(status, { 'content-type': 'text/plain', connection: 'close' }).end(`${text}\n`)
}
