import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClickHouseAddress } from '../platform/stores/clickhouse.ts'
import type { QueueAddress } from '../workers/queues.ts'
import { testKey } from './database.ts'
import { movedClock } from './settings.ts'

const program = createRequire(import.meta.url).resolve('#dist/cli/rackrate.js')

// Processes on a database of the tests have its clock.
const { TEST_CLOCK_MOVED } = process.env
const moved = TEST_CLOCK_MOVED !== undefined && { NODE_OPTIONS: `--import=${movedClock}`, TEST_CLOCK_MOVED }

// Not the repository, whose .env the processes would read.
const folder = mkdtempSync(join(tmpdir(), 'rackrate-process-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

/** Runs the built command line as a process of its own, in an empty folder unless `cwd` is given, with only PATH of this environment. */
export function spawnRackrate(
  args: string[],
  env: Record<string, string>,
  cwd = folder,
): ChildProcess & { output: () => string; printed: () => string } {
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    env: { PATH: process.env.PATH ?? '', NODE_ENV: 'test', ...(env.DATABASE_URL && moved), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [output, printed] = ['', '']
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (stream === child.stdout) printed += text
    })
  }
  // `printed` is without progress and errors, which go to stderr.
  return Object.assign(child, { output: () => output, printed: () => printed })
}

export const exited = (child: ChildProcess): Promise<number | NodeJS.Signals | null> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(child.exitCode ?? child.signalCode)
    else child.once('close', (code, signal) => resolve(code ?? signal))
  })

const common = {
  ENCRYPTION_KEY: testKey.toString('hex'),
  LOG_LEVEL: 'warn',
  SHUTDOWN_TIMEOUT: '60', // a busy machine takes its time
}

/** The environment of processes with engines of their own in a folder. They take one slot a day. */
export const environmentIn = (dataFolder: string): Record<string, string> => ({
  ...common,
  RACKRATE_DATA_DIR: dataFolder,
  PORT: '0',
  SNAPSHOT_INTERVAL: '86400',
})

/** The environment of a process that works on these databases. */
export const environmentOf = (
  { databaseUrl, redisUrl }: QueueAddress,
  clickhouse: ClickHouseAddress,
): Record<string, string> => ({
  DATABASE_URL: databaseUrl,
  CLICKHOUSE_URL: clickhouse.url,
  CLICKHOUSE_USER: clickhouse.username,
  CLICKHOUSE_PASSWORD: clickhouse.password,
  CLICKHOUSE_DATABASE: clickhouse.database,
  ...(clickhouse.cluster && { CLICKHOUSE_CLUSTER: clickhouse.cluster }),
  ...(redisUrl && { REDIS_URL: redisUrl }),
  ...common,
})
