// Runs the ClickHouse engine of the `chdb` package as a server. argv: config file, data directory, and as JSON: the boot
// statements, the files and ports that the process may reach, and its memory limit.
//
// The engine is a shared library whose entry point runs clickhouse-local. It must run on this process's main thread: called from
// another thread (koffi, worker threads) it crashes on the foreign stack. stdin becomes a pseudo-terminal: without one,
// clickhouse-local installs an error handler that aborts the process when a client resets a connection at the wrong moment.
import { once } from 'node:events'
import { constants, existsSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setPriority } from 'node:os'
import { Worker } from 'node:worker_threads'
import { libchdbPath } from 'chdb/libchdb'
import { DataType, load, open } from 'ffi-rs'
import { type Allowed, restrictFiles } from './landlock.ts'

interface Engine {
  boot: string[]
  allowed: Allowed
  memoryBytes?: number
  reserveBytes: number
}

const [configFile = '', dataDir = '', what = '{}'] = process.argv.slice(2)
const { boot, allowed, memoryBytes, reserveBytes }: Engine = JSON.parse(what)
// Without its config file ClickHouse would start without any access control.
if (!existsSync(configFile)) fail(78, `config file missing: ${configFile}`)

open({ library: 'c', path: process.platform === 'darwin' ? '/usr/lib/libSystem.B.dylib' : 'libc.so.6' })
const c = (funcName: string, ...args: number[]): number =>
  load({
    library: 'c',
    funcName,
    retType: DataType.I32,
    paramsType: args.map(() => DataType.I32),
    paramsValue: args,
  })

const master = c('posix_openpt', constants.O_RDWR | constants.O_NOCTTY)
if (master < 0 || c('grantpt', master) !== 0 || c('unlockpt', master) !== 0)
  fail(70, 'cannot open a pseudo-terminal')
const terminal = load({
  library: 'c',
  funcName: 'ptsname',
  retType: DataType.String,
  paramsType: [DataType.I32],
  paramsValue: [master],
})
const slave = openSync(terminal, constants.O_RDWR | constants.O_NOCTTY)
const control = c('dup', 0)
c('dup2', slave, 0)

await startWatch('disk', { dir: dataDir, reserveBytes })
if (memoryBytes) await limitMemory(memoryBytes)

// From here on the engine occupies the main thread. So another thread waits for the end of the control pipe and then types
// `exit`.
const watcher = new Worker(
  `const { readSync, writeSync } = require('node:fs')
   const { parentPort, workerData } = require('node:worker_threads')
   const nap = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
   const buffer = Buffer.alloc(64)
   parentPort.postMessage('up')
   for (let open = true; open; ) {
     try { open = readSync(workerData.control, buffer) > 0 } catch (error) { if (error.code !== 'EAGAIN') throw error; nap(100) }
   }
   for (;;) { writeSync(workerData.master, '\\nexit\\n'); nap(300) }`,
  { eval: true, workerData: { control, master } },
)
await once(watcher, 'message')

writeSync(master, boot.map((statement) => `${statement.replace(/\s+/g, ' ')};\n`).join(''))
open({ library: 'chdb', path: libchdbPath() })
// clickhouse-local has functions that read any file, regardless of grants. So the process itself is restricted, terminals
// included.
const readable = allowed.readable.map((path) => path.replace('/proc/self', `/proc/${process.pid}`))
if (restrictFiles({ ...allowed, readable })) writeSync(1, 'CONFINED\n')
const argv = [
  'clickhouse',
  '--interactive',
  '--disable_suggestion',
  `--config-file=${configFile}`,
  '--path',
  dataDir,
]
load({
  library: 'chdb',
  funcName: 'chdb_query_cmdline',
  retType: DataType.External,
  paramsType: [DataType.I32, DataType.StringArray],
  paramsValue: [argv.length, argv],
})
process.exit(0)

/**
 * Some libraries of the engine allocate memory that the engine does not count. So a thread ends this process above its limit, the
 * kernel refuses allocations far above it, and when the machine runs out of memory, this process ends first.
 */
async function limitMemory(bytes: number): Promise<void> {
  await startWatch('memory', { bytes })
  setPriority(10) // The priority of this thread and the engine's threads. The watching threads keep theirs.
  if (process.platform !== 'linux') return
  writeFileSync('/proc/self/oom_score_adj', '900')
  const [data, core] = [2, 4] // sys/resource.h
  // Address space for stacks of threads, which is reserved and hardly used.
  const reserved = 2 ** 30
  limit(data, bytes + reserved)
  limit(core, 0)
}

/** Starts a thread that ends this process when it exceeds a limit. */
async function startWatch(what: 'disk' | 'memory', workerData: object): Promise<void> {
  const script = createRequire(import.meta.url).resolve(`#dist/embedded/${what}-watch.js`)
  await once(new Worker(script, { workerData }), 'message')
}

function limit(resource: number, most: number): void {
  const both = Buffer.alloc(16)
  both.writeBigUInt64LE(BigInt(most), 0)
  both.writeBigUInt64LE(BigInt(most), 8)
  const paramsType = [DataType.I32, DataType.U8Array]
  load({
    library: 'c',
    funcName: 'setrlimit',
    retType: DataType.I32,
    paramsType,
    paramsValue: [resource, both],
  })
}

function fail(code: number, message: string): never {
  console.error(message)
  process.exit(code)
}
