import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '../contract/failure.ts'
import type { Config } from './config.ts'

/**
 * The keys of the vault: ENCRYPTION_KEY, otherwise a key in the data directory, which is created at first use; and ENCRYPTION_KEY_PREVIOUS.
 */
export const encryptionKeysOf = ({
  encryptionKey,
  previousEncryptionKey,
  dataDir,
}: Pick<Config, 'encryptionKey' | 'previousEncryptionKey' | 'dataDir'>) => ({
  key: Buffer.from(encryptionKey ?? keptKey(dataDir), 'hex'),
  previous: previousEncryptionKey === undefined ? undefined : Buffer.from(previousEncryptionKey, 'hex'),
})

function keptKey(dataDir: string): string {
  const file = join(dataDir, 'encryption.key')
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // Linking is atomic: if several processes start at once, one of them creates the key and all use it.
    mkdirSync(dataDir, { recursive: true })
    const draft = `${file}.${process.pid}`
    writeFileSync(draft, randomBytes(32).toString('hex'), { mode: 0o600 })
    try {
      linkSync(draft, file)
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    } finally {
      rmSync(draft)
    }
    return readFileSync(file, 'utf8')
  }
}
