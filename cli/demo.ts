import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createKey } from '../platform/security/api-keys.ts'
import { demoAccounts } from '../simulate/create-market.ts'
import { type Seeded, seedAccounts, seedKeys } from '../src/companion/demo/accounts.ts'
import type { SiteStores } from './stores.ts'

/** The demo accounts of a simulated market. */
export interface Demo {
  keys: { host: string; admin: string; renter: string; team: string }
  seeded: Seeded
}

/**
 * The demo accounts and their API keys; undefined unless the market is simulated. Keys are created at the first start and stored in
 * demo-keys.json of the data directory, readable by its owner only, so that each start can print them. The database stores only hashes.
 */
export async function openDemo(
  { postgres, vault }: Pick<SiteStores, 'postgres' | 'vault'>,
  dataDir: string,
): Promise<Demo | undefined> {
  const accounts = await demoAccounts(postgres)
  if (!accounts) return undefined
  const seeded = await seedAccounts(postgres, vault)
  const file = join(dataDir, 'demo-keys.json')
  const kept = existsSync(file) ? readKept(file) : undefined
  if (kept?.renter_id === seeded.renter_id) return { keys: kept, seeded }
  const { key: admin } = await createKey(postgres, { accountId: accounts.adminId, name: 'demo admin' })
  const keys = { ...(await seedKeys(postgres, seeded)), admin }
  mkdirSync(dataDir, { recursive: true })
  writeFileSync(file, JSON.stringify({ ...keys, ...seeded }), { mode: 0o600 })
  return { keys, seeded }
}

function readKept(file: string) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    console.error(`${file} is damaged. It is replaced, with new demo keys.`)
    return undefined
  }
}
