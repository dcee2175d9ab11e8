import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config.ts'

/** The key of the vault: ENCRYPTION_KEY, else one that is kept in the data directory and made at first use. */
export function encryptionKeyOf({
  encryptionKey,
  dataDir,
}: Pick<Config, 'encryptionKey' | 'dataDir'>): Buffer {
  return Buffer.from(encryptionKey ?? keptKey(dataDir), 'hex')
}

function keptKey(dataDir: string): string {
  const file = join(dataDir, 'encryption.key')
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // Whole or not at all, and the same for all: of several processes that boot at once one makes the link.
    mkdirSync(dataDir, { recursive: true })
    const draft = `${file}.${process.pid}`
    writeFileSync(draft, randomBytes(32).toString('hex'), { mode: 0o600 })
    try {
      linkSync(draft, file)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    } finally {
      rmSync(draft)
    }
    return readFileSync(file, 'utf8')
  }
}
