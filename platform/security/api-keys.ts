import { randomBytes, timingSafeEqual } from 'node:crypto'
import { allPermissions, type Permissions } from '../../contract/permissions.ts'
import { acting, commandLine, type Postgres, type Session } from '../stores/postgres.ts'
import { one } from '../stores/rows.ts'
import { hashToken, newToken } from './token.ts'

// rr_<8 public bytes>_<32 secret bytes>, in hex: no character needs escaping in a shell or a URL.
const keyPattern = /^rr_([0-9a-f]{16})_[0-9a-f]{64}$/

export interface NewKey {
  accountId: number
  /** The person who holds the key. Default: the account, which then is a person. */
  createdBy?: number
  name?: string
  permissions?: Permissions
  expiresAt?: Date | undefined
  /** The key that this one represents: it is valid only as long as that key. */
  standsFor?: number | null
  /** True if a browser receives it through a mailed link. */
  byMail?: boolean
}

/** Creates a key. Only this call returns the key itself: the database keeps its hash. */
export async function createKey(postgres: Session, key: NewKey): Promise<{ id: number; key: string }> {
  const prefix = randomBytes(8).toString('hex')
  const text = `rr_${prefix}_${newToken()}`
  const { rows } = await postgres.query<{ id: number }>('keys/create', [
    key.accountId,
    key.createdBy ?? key.accountId,
    key.name ?? '',
    prefix,
    hashToken(text),
    key.permissions ?? allPermissions,
    key.expiresAt ?? null,
    key.standsFor ?? null,
    key.byMail ?? false,
  ])
  return { id: one(rows).id, key: text }
}

/** The things that ended with a key. */
export interface Revoked {
  /** The ids of the scheduled jobs that the key created and that had future runs. */
  stopped_jobs: number[]
}

/** Revokes the key with this id or public prefix, for an operator. Returns undefined if there was no active one. */
export async function revokeKey(postgres: Postgres, idOrPrefix: string): Promise<Revoked | undefined> {
  const { rows } = await acting(postgres, commandLine).query<Revoked>('keys/revoke', [idOrPrefix])
  return rows[0]
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
  claimed_sources: string[]
  claims_first: boolean
  is_dead: boolean
  role_name: string | null
  role_permissions: Permissions | null
}

/** The row of a key as sent by a client; undefined: the key is unknown, revoked or expired. */
export async function findKey(postgres: Postgres, key: string): Promise<KeyRow | undefined> {
  const prefix = keyPattern.exec(key)?.[1]
  if (!prefix) return undefined
  const { rows } = await postgres.query<KeyRow>('keys/find', [prefix])
  const [row] = rows
  // The hashes are compared even when the prefix is unknown, so that both failures take the same time.
  const same = timingSafeEqual(hashToken(key), row?.hash ?? Buffer.alloc(32))
  return same && row && !row.is_dead ? row : undefined
}
