import { execFileSync } from 'node:child_process'
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Another process uses this data directory. The message is a complete sentence; the command line exits with `exitCode`. */
export class DataDirInUseError extends Error {
  readonly exitCode = 2
}

/** When a process began, as the system writes it: tells a process from a later one that was given the same number. */
export function startedAt(pid: number): string | undefined {
  try {
    const line = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: 'pipe',
    }).trim()
    // A zombie has ended; only its parent hasn't looked yet.
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

/** Whether a living process holds the data directory. */
export const isHeld = (dataDir: string): boolean => holderOf(join(dataDir, 'lock')) !== undefined

/**
 * Takes the data directory for this process; returns how to let go of it. A lock left by a process that is gone is taken
 * over. Throws DataDirInUseError.
 */
export function takeDataDir(dataDir: string): () => void {
  const file = join(dataDir, 'lock')
  const own = JSON.stringify({ pid: process.pid, started: startedAt(process.pid) })
  for (;;) {
    try {
      writeFileSync(file, own, { flag: 'wx', mode: 0o600 })
      return () => rmSync(file, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
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

// Of several processes that find a stale lock, one moves it away; another that moved the winner's new lock puts it back.
function removeStale(file: string): void {
  const aside = `${file}.${process.pid}`
  try {
    renameSync(file, aside)
    if (holderOf(aside)) linkSync(aside, file)
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  } finally {
    rmSync(aside, { force: true })
  }
}
