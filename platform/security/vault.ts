import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import type { Postgres } from '../stores/postgres.ts'
import { one } from '../stores/rows.ts'
import { UsageError } from '../usage-error.ts'

const scryptAsync = promisify<Buffer, Buffer, number, Buffer>(scrypt)

const version = 1
const ivLength = 12
const tagLength = 16

/** Encrypts and hashes with the secret keys of an installation. */
export interface Vault {
  /** AES-256-GCM. `purpose` is authenticated: text sealed for one purpose cannot be opened for another. */
  seal(text: string, purpose: string): Buffer
  /** Throws when `sealed` was not sealed with the current or the previous key for this purpose. */
  open(sealed: Buffer, purpose: string): string
  /** Seals again with the current key; undefined: it is sealed with the current key already. Throws like `open`. */
  reseal(sealed: Buffer, purpose: string): Buffer | undefined
  /** HMAC-SHA-256. For secrets with many random bits, and to compare texts. */
  fingerprint(text: string, purpose: string): Buffer
  /**
   * Hashes codes that people type, which have few random bits (20 of six digits, 60 of a backup code): HMAC with a key that is
   * not in the database, then scrypt (about 40 ms). Neither the database nor the key alone is enough to find the code quickly.
   */
  hashCode(code: string, salt: string): Promise<Buffer>
}

export interface VaultKeys {
  /** 32 random bytes */
  key: Buffer
  /** Set during a change of keys: the key before, which can still open texts. */
  previous?: Buffer | undefined
  /** The key of the hashes. It stays when the encryption key changes, because hashes cannot be computed again. */
  hashKey?: Buffer
}

const derive = (key: Buffer, purpose: string) =>
  Buffer.from(hkdfSync('sha256', key, '', `rackrate ${purpose}`, 32))
const hmac = (key: Buffer, text: string, purpose: string) =>
  createHmac('sha256', key).update(`${purpose}\0${text}`).digest()

export function openVault({ key, previous, hashKey = derive(key, 'hash') }: VaultKeys): Vault {
  const sealing = derive(key, 'seal')
  const earlier = previous && derive(previous, 'seal')
  const fingerprint = (text: string, purpose: string) => hmac(hashKey, text, purpose)
  const seal = (text: string, purpose: string) => {
    const iv = randomBytes(ivLength)
    const cipher = createCipheriv('aes-256-gcm', sealing, iv).setAAD(Buffer.from(purpose))
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([Buffer.from([version]), iv, cipher.getAuthTag(), body])
  }
  /** The opened text, and true if it was sealed with the current key. */
  const openWithEither = (sealed: Buffer, purpose: string): [string, boolean] => {
    if (!earlier) return [openWith(sealing, sealed, purpose), true]
    try {
      return [openWith(sealing, sealed, purpose), true]
    } catch {
      return [openWith(earlier, sealed, purpose), false]
    }
  }

  return {
    seal,
    open: (sealed, purpose) => openWithEither(sealed, purpose)[0],
    reseal(sealed, purpose) {
      const [text, isPresent] = openWithEither(sealed, purpose)
      return isPresent ? undefined : seal(text, purpose)
    },
    fingerprint,
    hashCode: (code, salt) => scryptAsync(fingerprint(code, 'code'), Buffer.from(salt), 32),
  }
}

function openWith(sealing: Buffer, sealed: Buffer, purpose: string): string {
  const tagStart = 1 + ivLength
  const textStart = tagStart + tagLength
  const decipher = createDecipheriv('aes-256-gcm', sealing, sealed.subarray(1, tagStart))
    .setAAD(Buffer.from(purpose))
    .setAuthTag(sealed.subarray(tagStart, textStart))
  return decipher.update(sealed.subarray(textStart), undefined, 'utf8') + decipher.final('utf8')
}

/** The secrets in the database were encrypted with another key. */
export class WrongVaultError extends UsageError {}

/** The vault purpose of the hash key. */
export const hashKeyPurpose = 'hash key'

/**
 * Opens the vault of a database. A database is bound to the key that seals. The first use binds it, and so does a new key that is
 * set together with the previous one. Throws WrongVaultError when it is bound to a key that is not configured.
 */
export async function unlockVault(
  postgres: Postgres,
  { key, previous }: Omit<VaultKeys, 'hashKey'>,
): Promise<Vault> {
  const insert = 'INSERT INTO vault (fingerprint, hash_key_sealed) VALUES ($1, $2) ON CONFLICT DO NOTHING'
  const newHashKey = openVault({ key }).seal(randomBytes(32).toString('hex'), hashKeyPurpose)
  await postgres.query(insert, [fingerprintOf(key), newHashKey])
  const tied = await readVault(postgres)
  const tiedKey = [key, previous].find((one) => one && fingerprintOf(one).equals(tied.fingerprint))
  if (!tiedKey)
    throw new WrongVaultError(
      'The secrets in this database were encrypted with another key. Set ENCRYPTION_KEY to that key.',
    )
  // The database was made by release 0.1.0, which derived the key of the hashes.
  if (!tied.hash_key_sealed) {
    const sealed = openVault({ key: tiedKey }).seal(derive(tiedKey, 'hash').toString('hex'), hashKeyPurpose)
    await postgres.query('UPDATE vault SET hash_key_sealed = $1 WHERE hash_key_sealed IS NULL', [sealed])
  }
  if (tiedKey !== key) await postgres.query('UPDATE vault SET fingerprint = $1', [fingerprintOf(key)])
  const { hash_key_sealed } = await readVault(postgres)
  const hashKey = openVault({ key, previous }).open(hash_key_sealed ?? Buffer.alloc(0), hashKeyPurpose)
  return openVault({ key, previous, hashKey: Buffer.from(hashKey, 'hex') })
}

const fingerprintOf = (key: Buffer): Buffer => hmac(derive(key, 'hash'), 'database', 'vault')

async function readVault(postgres: Postgres) {
  const { rows } = await postgres.query<{ fingerprint: Buffer; hash_key_sealed: Buffer | null }>(
    'SELECT fingerprint, hash_key_sealed FROM vault',
  )
  return one(rows)
}
