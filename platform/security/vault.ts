import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import type { Postgres } from '../stores/postgres.ts'
import { UsageError } from '../usage-error.ts'

const scryptAsync = promisify<Buffer, Buffer, number, Buffer>(scrypt)

const version = 1
const ivLength = 12
const tagLength = 16

/** Encrypts and hashes with the secret key of an installation. */
export interface Vault {
  /** AES-256-GCM. `purpose` is authenticated: text that was sealed for one purpose cannot be opened for another. */
  seal(text: string, purpose: string): Buffer
  /** Throws when `sealed` was not sealed with this key for this purpose. */
  open(sealed: Buffer, purpose: string): string
  /** HMAC-SHA-256. For secrets with many random bits, and to compare texts. */
  fingerprint(text: string, purpose: string): Buffer
  /**
   * For codes that people type, which have few random bits (20 of six digits, 60 of a backup code): HMAC with a key that is not in the
   * database, then scrypt (about 40 ms). Neither the database nor the key alone is enough to find the code quickly.
   */
  hashCode(code: string, salt: string): Promise<Buffer>
}

/** @param key 32 random bytes */
export function openVault(key: Buffer): Vault {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', key, '', `rackrate ${purpose}`, 32))
  const sealing = derive('seal')
  const hashing = derive('hash')
  const fingerprint = (text: string, purpose: string) =>
    createHmac('sha256', hashing).update(`${purpose}\0${text}`).digest()

  return {
    seal(text, purpose) {
      const iv = randomBytes(ivLength)
      const cipher = createCipheriv('aes-256-gcm', sealing, iv).setAAD(Buffer.from(purpose))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.from([version]), iv, cipher.getAuthTag(), body])
    },
    open(sealed, purpose) {
      const [iv, tag] = [
        sealed.subarray(1, 1 + ivLength),
        sealed.subarray(1 + ivLength, 1 + ivLength + tagLength),
      ]
      const decipher = createDecipheriv('aes-256-gcm', sealing, iv)
        .setAAD(Buffer.from(purpose))
        .setAuthTag(tag)
      return (
        decipher.update(sealed.subarray(1 + ivLength + tagLength), undefined, 'utf8') + decipher.final('utf8')
      )
    },
    fingerprint,
    hashCode: (code, salt) => scryptAsync(fingerprint(code, 'code'), Buffer.from(salt), 32),
  }
}

/** The secrets in the database were encrypted with another key. */
export class WrongVaultError extends UsageError {}

/** Ties the database to the key when it is first used; throws WrongVaultError when it is tied to another key. */
export async function claimVault(postgres: Postgres, vault: Vault): Promise<void> {
  const fingerprint = vault.fingerprint('database', 'vault')
  await postgres.query('INSERT INTO vault (fingerprint) VALUES ($1) ON CONFLICT DO NOTHING', [fingerprint])
  const { rows } = await postgres.query<{ fingerprint: Buffer }>('SELECT fingerprint FROM vault')
  if (!rows[0]?.fingerprint.equals(fingerprint))
    throw new WrongVaultError(
      'The secrets in this database were encrypted with another key. Set ENCRYPTION_KEY to that key.',
    )
}
