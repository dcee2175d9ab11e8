import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type pg from 'pg'
import { allPermissions, type Permissions } from '../../contract/permissions.ts'
import type { Postgres } from '../stores/postgres.ts'
import { loadSql } from '../stores/sql.ts'

// rr_<8 bytes, public>_<32 bytes, secret>, both in hex: no character that a shell, a URL or a font treats specially.
const keyPattern = /^rr_([0-9a-f]{16})_[0-9a-f]{64}$/

const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest()

export interface NewKey {
  accountId: number
  /** The person who holds it; the account itself unless that is a team. */
  createdBy?: number
  name?: string
  permissions?: Permissions
  expiresAt?: Date | undefined
}

/** Makes a key. It is returned this once; only its hash is kept. */
export async function createKey(
  postgres: Postgres | pg.PoolClient,
  key: NewKey,
): Promise<{ id: number; key: string }> {
  const prefix = randomBytes(8).toString('hex')
  const text = `rr_${prefix}_${randomBytes(32).toString('hex')}`
  const { rows } = await postgres.query<{ id: number }>(
    `INSERT INTO api_keys (account_id, created_by, name, prefix, hash, permissions, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id`,
    [
      key.accountId,
      key.createdBy ?? key.accountId,
      key.name ?? '',
      prefix,
      hashOf(text),
      key.permissions ?? allPermissions,
      key.expiresAt ?? null,
    ],
  )
  return { id: rows[0]?.id ?? Number.NaN, key: text }
}

/** Revokes the key of this id or public prefix. Returns whether there was a living one. */
export async function revokeKey(postgres: Postgres, idOrPrefix: string): Promise<boolean> {
  const { rowCount } = await postgres.query(
    'UPDATE api_keys SET revoked_at = now() WHERE (id::text = $1 OR prefix = $1) AND revoked_at IS NULL',
    [idOrPrefix],
  )
  return rowCount === 1
}

export interface KeyRow {
  key_id: number
  hash: Buffer
  expires_at: Date | null
  account_id: number
  created_by: number
  permissions: Permissions
  kind: 'person' | 'team'
  is_admin: boolean
  is_host: boolean
  has_active_machine: boolean
  is_dead: boolean
  role_name: string | null
  role_permissions: Permissions | null
}

/** The row behind a key as a client sent it, or undefined when the key isn't one of ours, is revoked or has expired. */
export async function findKey(postgres: Postgres, key: string): Promise<KeyRow | undefined> {
  const prefix = keyPattern.exec(key)?.[1]
  if (!prefix) return undefined
  const { rows } = await postgres.query<KeyRow>(loadSql('postgres/queries/keys/find'), [prefix])
  const [row] = rows
  // An unknown prefix is compared, too, so that it takes as long as a wrong secret.
  const same = timingSafeEqual(hashOf(key), row?.hash ?? Buffer.alloc(32))
  return same && row && !row.is_dead ? row : undefined
}
