import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { systemCode } from './system-code.ts'

/**
 * Creates a directory that other users may pass through but not change, or verifies that an existing one is such. A user who owns
 * the directory, or may write into it, could replace the files of this process and the programs that it runs. Throws an Error
 * with a sentence.
 */
export function ownDirectory(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o711 })
  } catch (error) {
    const reason =
      systemCode(error) === 'EEXIST' ? 'it is a file' : error instanceof Error ? error.message : error
    throw new Error(`RACKRATE_DATA_DIR: ${path} cannot be the data directory: ${reason}`, { cause: error })
  }
  const link = lstatSync(path)
  const stat = statSync(path)
  const uid = process.getuid?.() ?? stat.uid
  const refuse = (why: string): never => {
    throw new Error(`Directory ${path} ${why}. Choose another data directory with RACKRATE_DATA_DIR.`)
  }
  for (const owner of [link.uid, stat.uid])
    if (owner !== uid) refuse(`belongs to another user (uid ${owner}; this process has uid ${uid})`)
  if (stat.mode & 0o022)
    refuse('can be changed by other users: take the right to write from them (chmod go-w)')
  // PostgreSQL, which root starts as another user, passes through the directory. A directory with content keeps its mode.
  if (uid === 0 && (stat.mode & 0o001) === 0 && readdirSync(path).length === 0) chmodSync(path, 0o711)
}
