import type { Permission } from '../contract/permissions.ts'
import { createKey } from '../platform/security/api-keys.ts'
import { type Seeded, seedAccounts, seedKeys } from '../src/companion/demo/accounts.ts'
import type { TestServer } from './server.ts'

export interface World extends Seeded {
  stranger_id: number
  keys: { host: string; renter: string; team: string; stranger: string }
}

/** The demo accounts (src/companion/demo/accounts.ts) and a stranger, with a key each. */
export async function openWorld({ postgres, vault }: Pick<TestServer, 'postgres' | 'vault'>): Promise<World> {
  const seeded = await seedAccounts(postgres, vault)
  const { rows } = await postgres.query<{ id: number }>(
    `INSERT INTO accounts (name, email, email_verified) VALUES ('Stranger', 'stranger@demo.invalid', true) RETURNING id`,
  )
  const stranger_id = rows[0]?.id ?? 0
  const { key: stranger } = await createKey(postgres, { accountId: stranger_id })
  return { ...seeded, stranger_id, keys: { ...(await seedKeys(postgres, seeded)), stranger } }
}

/** A key of an account that may do this and nothing else. */
export const keyWith = async (
  { postgres }: Pick<TestServer, 'postgres'>,
  accountId: number,
  ...permissions: Permission[]
) =>
  (
    await createKey(postgres, {
      accountId,
      permissions: { api: Object.fromEntries(permissions.map((permission) => [permission, {}])) },
    })
  ).key

/** A start some five years ahead whose minute of the hour is half an hour away: an hourly job of it doesn't come due during a test. */
export const farStart = (): number => 1_893_456_000 + ((new Date().getUTCMinutes() + 30) % 60) * 60

/** The number of equal concurrent requests. */
export async function atOnce<T>(count: number, ask: () => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, ask))
}
