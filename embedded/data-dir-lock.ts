import { execFileSync } from 'node:child_process'
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemCode } from './system-code.ts'

/** Another process uses this data directory. The message is a complete sentence; the command line exits with `exitCode`. */
export class DataDirInUseError extends Error {
  readonly exitCode = 2
}

/**
 * The start time of a process, in the system's own notation. It distinguishes a process from a later one with the same number.
 */
export function startedAt(pid: number): string | undefined {
  try {
    const line = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: 'pipe',
    }).trim()
    // A zombie has ended. Its parent has not read its exit status yet.
    return line.startsWith('Z') ? undefined : line.replace(/^\S+\s+/, '')
  } catch {
    return undefined
  }
}

interface Holder {
  pid: number
  started: string | undefined
}

const holderOf = (file: string): Holder | undefined => {
  try {
    const holder: Holder = JSON.parse(readFileSync(file, 'utf8'))
    return holder.started && startedAt(holder.pid) === holder.started ? holder : undefined
  } catch {
    return undefined
  }
}

/** True if a living process holds the data directory. */
export const isHeld = (dataDir: string): boolean => holderOf(join(dataDir, 'lock')) !== undefined

/**
 * Locks the data directory for this process. Returns a function that unlocks it. Takes over a lock of a dead process. Throws
 * DataDirInUseError.
 */
export function takeDataDir(dataDir: string): () => void {
  const file = join(dataDir, 'lock')
  const own = JSON.stringify({ pid: process.pid, started: startedAt(process.pid) })
  for (;;) {
    try {
      writeFileSync(file, own, { flag: 'wx', mode: 0o600 })
      return () => rmSync(file, { force: true })
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error
    }
    const holder = holderOf(file)
    if (holder) {
      throw new DataDirInUseError(
        `Data directory ${dataDir} is in use by process ${holder.pid}. Stop it first, or choose another with RACKRATE_DATA_DIR.`,
      )
    }
    removeStale(file)
  }
}

// If several processes find a stale lock, one moves it away. Another one may have moved the new lock of the first, and puts it back.
function removeStale(file: string): void {
  const aside = `${file}.${process.pid}`
  try {
    renameSync(file, aside)
    if (holderOf(aside)) linkSync(aside, file)
  } catch (error) {
    const code = systemCode(error)
    if (code !== 'ENOENT' && code !== 'EEXIST') throw error
  } finally {
    rmSync(aside, { force: true })
  }
}
