import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { EngineLog } from './supervise.ts'

/** The command line of a living process; '' when there is none. */
function commandOf(pid: number): string {
  try {
    const line = execFileSync('ps', ['-o', 'stat=,args=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return line.startsWith('Z') ? '' : line.trim()
  } catch {
    return ''
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // The process has ended.
  }
}

interface Asking {
  /** The signal that stops the engine. */
  signal: NodeJS.Signals
  /** Milliseconds before the signal is sent, for an engine that stops by itself when its parent dies. */
  afterMs: number
}

const pauseMs = 100
const killAfterMs = 12_000

/**
 * Ends a process of an earlier run. Its number is the first line of `pidFile`. Its command line must contain `mark`: otherwise
 * another process has the number by now.
 */
export async function endOrphan(
  pidFile: string,
  mark: string,
  { signal, afterMs }: Asking,
  log: EngineLog,
): Promise<void> {
  let pid: number
  try {
    pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0])
  } catch {
    return
  }
  const alive = () => pid > 1 && commandOf(pid).includes(mark)
  for (let tries = 0; alive(); tries += 1) {
    if (tries === 0) log(`waiting for process ${pid} of an earlier run to end\n`)
    if (tries * pauseMs === afterMs) send(pid, signal)
    if (tries * pauseMs === killAfterMs) send(pid, 'SIGKILL')
    await pause(pauseMs)
  }
  rmSync(pidFile, { force: true })
}

/** Kills all processes whose command line begins with `mark`, and returns when they have ended. */
export async function killAll(mark: string): Promise<void> {
  for (;;) {
    const listed = execFileSync('ps', ['-eo', 'pid=,stat=,args='], { encoding: 'utf8' })
    const alive = [...listed.matchAll(/^ *(\d+) +([^Z ]\S*) +(.*)$/gm)].filter(([, , , line]) =>
      line?.startsWith(mark),
    )
    if (alive.length === 0) return
    for (const [, pid] of alive) send(Number(pid), 'SIGKILL')
    await pause(20)
  }
}
