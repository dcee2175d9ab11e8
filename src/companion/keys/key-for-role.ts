import { createKey } from '../../../platform/security/api-keys.ts'
import { acting, commandLine, type Postgres, transaction } from '../../../platform/stores/postgres.ts'
import { one } from '../../../platform/stores/rows.ts'

export interface KeyForRole {
  role: 'host' | 'admin' | 'user'
  /** E-mail address of the account. Without it a new account is created. */
  email?: string | undefined
  expires?: Date | undefined
}

/** Creates an API key for the account with this e-mail address. The account is created if there is none, and gets the role. */
export async function createKeyFor(
  postgres: Postgres,
  { role, email, expires }: KeyForRole,
): Promise<{ id: number; key: string }> {
  const accountId = await transaction(
    postgres,
    async (client) => {
      const { rows } = await client.query<{ id: number }>('keys/account_for_role', [
        email ?? null,
        `${role} made on the command line`,
        role === 'host',
        role === 'admin',
      ])
      return one(rows).id
    },
    commandLine,
  )
  return createKey(acting(postgres, commandLine), { accountId, name: role, expiresAt: expires })
}
