import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { EngineLog } from './supervise.ts'

/** The command line of a living process, '' when there is none. */
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

/**
 * Sees a process off that an earlier run left behind: its number is the first line of `pidFile`, and its command line must hold
 * `mark`, else it is somebody else's by now. An engine stops by itself when its parent dies, so most often this only waits; after
 * 2 s it sends `signal`, which asks the engine to stop.
 */
export async function endOrphan(
  pidFile: string,
  mark: string,
  signal: NodeJS.Signals,
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
    if (tries === 20) process.kill(pid, signal)
    if (tries === 120) process.kill(pid, 'SIGKILL')
    await pause(100)
  }
  rmSync(pidFile, { force: true })
}
