import { createKey } from '../../platform/security/api-keys.ts'
import { type Postgres, transaction } from '../../platform/stores/postgres.ts'

export const keyRoles = ['host', 'admin', 'user'] as const

export interface CreateKeyOptions {
  role: (typeof keyRoles)[number]
  email?: string | undefined
  expires?: Date | undefined
}

/** A key for the account with this e-mail address, which is made if there is none, or for a new account. */
export async function createKeyFor(
  postgres: Postgres,
  options: CreateKeyOptions,
): Promise<{ id: number; key: string }> {
  const { role, email, expires } = options
  const accountId = await transaction(postgres, async (client) => {
    const { rows } = await client.query<{ id: number }>(
      `INSERT INTO accounts (name, email, is_host, is_admin) VALUES (coalesce($1, $2), $1, $3, $4)
       ON CONFLICT (lower(email)) WHERE email IS NOT NULL
       DO UPDATE SET is_host = accounts.is_host OR EXCLUDED.is_host, is_admin = accounts.is_admin OR EXCLUDED.is_admin
       RETURNING id`,
      [email ?? null, `${role} made on the command line`, role === 'host', role === 'admin'],
    )
    return rows[0]?.id ?? Number.NaN
  })
  return createKey(postgres, { accountId, name: role, expiresAt: expires })
}

/** `2027-01-31`, `2027-01-31T12:00:00Z`, or from now: `30d`, `12h`. Undefined when it is neither, or is past. */
export function parseExpiry(text: string, now = Date.now()): Date | undefined {
  const span = /^(\d{1,5})([dh])$/.exec(text)
  const time = span ? now + Number(span[1]) * (span[2] === 'd' ? 86_400_000 : 3_600_000) : Date.parse(text)
  return time > now ? new Date(time) : undefined
}
