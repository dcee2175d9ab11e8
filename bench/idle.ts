import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { cpuOfProcess } from './load.ts'

const command = createRequire(import.meta.url).resolve('#dist/cli/rackrate.js')

/**
 * Prints the time until `rackrate up` is ready, at the first and at the second start, and the CPU and memory of all its processes when the
 * history is filled and no requests come. Linux only.
 */
export async function measureIdle(seconds: number): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'rackrate-idle-'))
  try {
    const first = await start(dir)
    while (!first.output().includes('history: 100 %')) await pause(1000)
    await stop(first.child)
    const again = await start(dir)
    console.log(
      `ready after   ${first.seconds.toFixed(1)} s at first, then ${again.seconds.toFixed(1)} s   (target: at most 5)`,
    )
    await pause(30_000)
    const cpu = () => treeOf(again.child.pid).reduce((sum, pid) => sum + cpuOfProcess(pid), 0)
    const before = cpu()
    await pause(seconds * 1000)
    const share = ((cpu() - before) / seconds / 1e6) * 100
    const megabytes = treeOf(again.child.pid).reduce((sum, pid) => sum + memoryOf(pid), 0)
    console.log(`idle          ${share.toFixed(1)} % of a core over ${seconds} s   (target: at most 1.5)`)
    console.log(`memory        ${Math.round(megabytes)} MB   (target: at most 500)`)
    await stop(again.child)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

async function start(dir: string) {
  const started = performance.now()
  const child = spawn(process.execPath, [command, 'up'], {
    cwd: tmpdir(), // not in this folder, where a .env would be read
    env: { PATH: process.env.PATH ?? '', PORT: '0', LOG_LEVEL: 'warn', RACKRATE_DATA_DIR: dir },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  const isReady = async () => {
    const url = /http:\/\/[\d.:]+/.exec(output)?.[0]
    return url !== undefined && (await fetch(`${url}/readyz`)).ok
  }
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(output)
    await pause(50)
  }
  return { child, seconds: (performance.now() - started) / 1000, output: () => output }
}

async function stop(child: ChildProcess): Promise<void> {
  child.kill()
  await once(child, 'exit')
}

/** A process and all its descendants. */
function treeOf(root: number | undefined): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => ({ pid: Number(pid), parent: parentOf(pid) }))
  const below = (parent: number): number[] =>
    parents.filter((one) => one.parent === parent).flatMap(({ pid }) => [pid, ...below(pid)])
  return root === undefined ? [] : [root, ...below(root)]
}

function parentOf(pid: string): number | undefined {
  try {
    return Number(/\) \w (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1])
  } catch {
    return undefined // the process has ended
  }
}

/** Megabytes; shared memory counts once. */
const memoryOf = (pid: number): number =>
  Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]) / 1024
