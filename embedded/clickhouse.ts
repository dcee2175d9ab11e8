import { createHmac } from 'node:crypto'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type Child, exitOf, spawnScript, stopChild } from './child.ts'
import { type Shard, writeClickHouseConfig } from './clickhouse-config.ts'
import { endOrphan } from './orphan.ts'
import { remember } from './remembered.ts'
import { type EngineLog, type Supervised, supervise } from './supervise.ts'

const script = createRequire(import.meta.url).resolve('#dist/embedded/clickhouse-child.js')
const startTimeoutMs = 60_000
const username = 'rackrate'

export interface ClickHouseServer {
  url: string
  username: string
  password: string
  database: string
  /** Reads the database and nothing else, within limits. Absent where the engine can't be kept from the machine's files. */
  analyst?: { username: string; password: string }
}

/** Starts ClickHouse on `dataDir`/clickhouse and keeps it running until stop(). */
export async function startClickHouse(
  dataDir: string,
  database: string,
  log: EngineLog,
  shard?: Shard,
): Promise<Supervised<ClickHouseServer>> {
  const dir = join(dataDir, 'clickhouse')
  await endOrphan(join(dir, 'pid'), script, 'SIGTERM', log)
  const { port, password } = await remember(dataDir, 'clickhouse')
  // Its own password follows from the other one, so that nothing more is to be kept.
  const analyst = {
    username: `${username}_sql`,
    password: createHmac('sha256', password).update('analyst').digest('base64url'),
  }
  const {
    configFile,
    dataDir: data,
    boot,
  } = writeClickHouseConfig({ dir, port, username, password, analyst, database, shard })
  const server: ClickHouseServer = { url: `http://127.0.0.1:${port}`, username, password, database }
  const start = async (): Promise<Child> => {
    const child = spawnScript(
      script,
      [configFile, data, JSON.stringify({ boot, connects: shard?.ports ?? [] })],
      dir,
    )
    const { sandboxed } = await ready(child, log)
    if (sandboxed) server.analyst = analyst
    return child
  }
  return supervise(server, start, (child) => stopChild(child, 10_000), { log, pidFile: join(dir, 'pid') })
}

/** Resolves when the engine has printed that it listens; its exit code says nothing, only what it prints does. */
async function ready(child: Child, log: EngineLog): Promise<{ sandboxed: boolean }> {
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-8000)
    log(text)
  })
  const reason = () => errors.match(/Code: \d+\. DB::Exception:[^\n]*/)?.[0] ?? errors.slice(-600)
  return new Promise((resolve, reject) => {
    const fail = (why: string) => {
      clearTimeout(timer)
      child.kill('SIGKILL')
      reject(new Error(`ClickHouse did not start: ${why}`))
    }
    const timer = setTimeout(
      () => fail(`no answer in ${startTimeoutMs / 1000} s. ${reason()}`),
      startTimeoutMs,
    )
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-2000)
      if (!/READY\t\d+\n/.test(output)) return
      clearTimeout(timer)
      resolve({ sandboxed: output.includes('SANDBOXED\n') })
    })
    child.once('error', (error) => fail(error.message))
    exitOf(child).then(() => fail(reason()))
  })
}
