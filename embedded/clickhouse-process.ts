import { mkdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Child, exitOf, spawnScript } from './child.ts'
import { type ClickHouseConfig, writeClickHouseConfig } from './clickhouse-config.ts'
import type { EngineLog } from './supervise.ts'

/** The script that the process runs. It distinguishes an engine from other processes. */
export const engineScript = createRequire(import.meta.url).resolve('#dist/embedded/clickhouse-child.js')
const startTimeoutMs = 60_000
/** Options of jemalloc, the engine's allocator. Most memory of a statement is large and freed at its end. */
const keptMemory = 'dirty_decay_ms:60000,thp:always,narenas:2,percpu_arena:disabled'

/** The files that the operating system lets an engine access besides its own data, and its memory limit. */
export interface Confinement {
  writable?: string[]
  readable?: string[]
  connects?: readonly number[]
  /** The process ends above this size. */
  memoryBytes?: number
  /** Freed memory stays with the process for a minute, in large pages: a third less CPU, and 1.9 times the memory. */
  keepsMemory?: boolean
}

export interface EngineProcess {
  child: Child
  port: number
  /** False where the system cannot restrict a process's file access (no Landlock). */
  isConfined: boolean
}

/** Starts an engine and returns when it listens. */
export async function startClickHouseProcess(
  config: ClickHouseConfig,
  confinement: Confinement,
  log: EngineLog,
): Promise<EngineProcess> {
  const { configDir, configFile, dataDir, logDir, boot } = writeClickHouseConfig(config)
  const { memoryBytes, keepsMemory = false, writable = [], readable = [], connects = [] } = confinement
  for (const dir of writable) mkdirSync(dir, { recursive: true, mode: 0o700 })
  const allowed = {
    writable: [dataDir, ...writable],
    appendable: [logDir],
    readable: [configDir, ...readable],
    connects,
  }
  const child = spawnScript(
    engineScript,
    [configFile, dataDir, JSON.stringify({ boot, allowed, memoryBytes, reserveBytes: config.reserveBytes })],
    dataDir,
    keepsMemory ? { JE_MALLOC_CONF: keptMemory } : {},
  )
  const started = await ready(child, log)
  // The engine has read it, and statements must not see its contents.
  rmSync(configDir, { recursive: true, force: true })
  return { child, ...started }
}

/** Resolves when the engine has printed that it listens. Its exit code carries no information. */
async function ready(child: Child, log: EngineLog): Promise<Omit<EngineProcess, 'child'>> {
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
      const port = Number(/READY\t(\d+)\n/.exec(output)?.[1])
      if (!port) return
      clearTimeout(timer)
      resolve({ port, isConfined: output.includes('CONFINED\n') })
    })
    child.once('error', (error) => fail(error.message))
    exitOf(child).then(() => fail(reason()))
  })
}
