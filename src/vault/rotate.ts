import { hostKeyPurpose } from '../../collect/host-call.ts'
import { officialKeyPurpose } from '../../collect/read-official.ts'
import { answerPurpose } from '../../platform/http/idempotency.ts'
import { hashKeyPurpose, type Vault } from '../../platform/security/vault.ts'
import type { Postgres } from '../../platform/stores/postgres.ts'
import { credentialsPurpose } from '../companion/cloud/credentials.ts'
import { tokenPurpose } from '../companion/copytool/host-task.ts'
import { sealedFor } from '../companion/outbox/write.ts'
import { bodyPurpose } from '../companion/schedule/job-body.ts'
import { passwordPurpose } from '../companion/templates/store.ts'
import { totpPurpose } from '../companion/tfa/totp.ts'
import { priceHookPurpose, secretPurpose } from '../rules/webhook/sign.ts'

interface SealedColumn {
  table: string
  column: string
  /** The column that the purpose depends on. */
  owner: string
  purposeOf: (owner: number) => string
}

/** Every column of encrypted data. test/real/vault.test.ts fails when one is missing. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'tfa_methods', column: 'secret_sealed', owner: 'account_id', purposeOf: () => totpPurpose },
  {
    table: 'cloud_connections',
    column: 'credentials_sealed',
    owner: 'account_id',
    purposeOf: credentialsPurpose,
  },
  {
    table: 'templates',
    column: 'docker_login_pass_sealed',
    owner: 'creator_id',
    purposeOf: passwordPurpose,
  },
  { table: 'scheduled_jobs', column: 'request_body_sealed', owner: 'account_id', purposeOf: bodyPurpose },
  { table: 'host_tasks', column: 'token_sealed', owner: 'account_id', purposeOf: () => tokenPurpose },
  { table: 'host_tasks', column: 'credentials_sealed', owner: 'account_id', purposeOf: credentialsPurpose },
  { table: 'alert_rules', column: 'webhook_secret_sealed', owner: 'account_id', purposeOf: secretPurpose },
  { table: 'claim_keys', column: 'key_sealed', owner: 'account_id', purposeOf: hostKeyPurpose },
  { table: 'official_servers', column: 'key_sealed', owner: 'id', purposeOf: () => officialKeyPurpose },
  {
    table: 'autopilot_rules',
    column: 'webhook_secret_sealed',
    owner: 'account_id',
    purposeOf: priceHookPurpose,
  },
  { table: 'idempotent_answers', column: 'answer_sealed', owner: 'api_key_id', purposeOf: answerPurpose },
  { table: 'outbox', column: 'sealed', owner: 'sender_id', purposeOf: () => sealedFor },
]

export interface Rotation {
  /** Number of values that were encrypted again. */
  resealed: number
  /** Number of values among them that a process encrypted with the previous key meanwhile. */
  late: number
  /** Number of values that neither key decrypts, by table and column. They stay unchanged. */
  unreadable: Record<string, number>
}

/**
 * Encrypts every value of the previous key with the current key. Each value is replaced by a statement of its own, and only if it
 * has not changed since it was read. So nothing is locked for long, the next rotation continues a killed one, and concurrent
 * writes of services stay.
 */
export async function rotate(postgres: Postgres, vault: Vault): Promise<Rotation> {
  const first = await pass(postgres, vault)
  const second = await pass(postgres, vault)
  return {
    resealed: first.resealed + second.resealed,
    late: second.resealed,
    unreadable: second.unreadable,
  }
}

async function pass(postgres: Postgres, vault: Vault): Promise<Omit<Rotation, 'late'>> {
  let resealed = await rotateHashKey(postgres, vault)
  const unreadable: Record<string, number> = {}
  for (const sealed of sealedColumns) {
    const rotated = await rotateColumn(postgres, vault, sealed)
    resealed += rotated.resealed
    if (rotated.unreadable > 0) unreadable[`${sealed.table}.${sealed.column}`] = rotated.unreadable
  }
  return { resealed, unreadable }
}

async function rotateColumn(
  postgres: Postgres,
  vault: Vault,
  { table, column, owner, purposeOf }: SealedColumn,
): Promise<{ resealed: number; unreadable: number }> {
  const read = `SELECT id, ${owner} AS owner, ${column} AS sealed FROM ${table} WHERE id > $1 ORDER BY id LIMIT 500`
  const replace = `UPDATE ${table} SET ${column} = $3 WHERE id = $1 AND ${column} = $2`
  let resealed = 0
  let unreadable = 0
  for (let last = 0; ; ) {
    const { rows } = await postgres.query<{ id: number; owner: number; sealed: Buffer | null }>(read, [last])
    for (const { id, owner, sealed } of rows) {
      // Credentials of a deleted connection are empty.
      if (!sealed?.length) continue
      const fresh = resealedOf(vault, sealed, purposeOf(owner))
      if (fresh === 'unreadable') unreadable += 1
      else if (fresh) resealed += (await postgres.query(replace, [id, sealed, fresh])).rowCount ?? 0
    }
    const end = rows.at(-1)
    if (!end) return { resealed, unreadable }
    last = end.id
  }
}

function resealedOf(vault: Vault, sealed: Buffer, purpose: string): Buffer | undefined | 'unreadable' {
  try {
    return vault.reseal(sealed, purpose)
  } catch {
    return 'unreadable'
  }
}

async function rotateHashKey(postgres: Postgres, vault: Vault): Promise<number> {
  const { rows } = await postgres.query<{ sealed: Buffer }>('SELECT hash_key_sealed AS sealed FROM vault')
  const sealed = rows[0]?.sealed
  const fresh = sealed && vault.reseal(sealed, hashKeyPurpose)
  if (!fresh) return 0
  const replace = 'UPDATE vault SET hash_key_sealed = $2 WHERE hash_key_sealed = $1'
  return (await postgres.query(replace, [sealed, fresh])).rowCount ?? 0
}
