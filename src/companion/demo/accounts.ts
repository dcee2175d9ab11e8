import type pg from 'pg'
import { createKey } from '../../../platform/security/api-keys.ts'
import type { Vault } from '../../../platform/security/vault.ts'
import { type Postgres, transaction } from '../../../platform/stores/postgres.ts'
import { one } from '../../../platform/stores/rows.ts'
import { demoHost } from '../../../simulate/demo-addresses.ts'
import { sealCredentials } from '../cloud/credentials.ts'

const demoRenter = 'renter@demo.invalid'
const demoCredentials = { access_key_id: 'demo', secret_access_key: 'demo-secret', region: 'eu-central-1' }

/** The ids of the demo accounts and of their resources. */
export interface Seeded {
  host_id: number
  renter_id: number
  team_id: number
  machine_id: number
  instance_id: number
  cloud_connection_id: number
}

/**
 * A host with a machine, a renter with an instance on it and a cloud connection, and a team of the renter with the host as a member
 * without a role. They are created once; later calls return the same ids.
 */
export async function seedAccounts(postgres: Postgres, vault: Vault): Promise<Seeded> {
  return transaction(postgres, async (client) => {
    await client.query('LOCK TABLE accounts IN SHARE ROW EXCLUSIVE MODE')
    const host_id = await insert(client, 'demo/person', ['Demo host', demoHost, true])
    const known = await client.query<Seeded>('demo/find', [demoRenter, host_id])
    if (known.rows[0]) return known.rows[0]
    const renter_id = await insert(client, 'demo/person', ['Demo renter', demoRenter, false])
    const { machine_id, instance_id } = await rent(client, host_id, renter_id)
    const cloud_connection_id = await insert(client, 'demo/cloud_connection', [
      renter_id,
      sealCredentials(vault, renter_id, demoCredentials),
    ])
    const team_id = await createTeam(client, renter_id, host_id)
    return { host_id, renter_id, team_id, machine_id, instance_id, cloud_connection_id }
  })
}

/** Creates a key for each demo account. The team's key is held by the renter, its owner. */
export async function seedKeys(postgres: Postgres, { host_id, renter_id, team_id }: Seeded) {
  const create = async (accountId: number, createdBy: number, name: string) =>
    (await createKey(postgres, { accountId, createdBy, name })).key
  return {
    host: await create(host_id, host_id, 'demo host'),
    renter: await create(renter_id, renter_id, 'demo renter'),
    team: await create(team_id, renter_id, 'demo team'),
  }
}

async function insert(client: pg.PoolClient, query: string, values: unknown[]): Promise<number> {
  const { rows } = await client.query<{ id: number }>(`${query}`, values)
  return one(rows).id
}

async function rent(client: pg.PoolClient, hostId: number, renterId: number) {
  const machine_id = await insert(client, 'demo/machine', [hostId])
  const instance_id = await insert(client, 'demo/instance', [machine_id, renterId])
  const hold = 'INSERT INTO gpu_holds (machine_id, gpu_index, contract_id) VALUES ($1, 0, $2)'
  await client.query(hold, [machine_id, instance_id])
  return { machine_id, instance_id }
}

async function createTeam(client: pg.PoolClient, ownerId: number, memberId: number): Promise<number> {
  const { rows } = await client.query<{ id: number }>(
    `INSERT INTO accounts (kind, name) VALUES ('team', 'Demo team') RETURNING id`,
  )
  const { id } = one(rows)
  await client.query('INSERT INTO teams (account_id, owner_id) VALUES ($1, $2)', [id, ownerId])
  await client.query('INSERT INTO team_members (team_id, user_id) VALUES ($1, $2)', [id, memberId])
  await client.query('demo/role', [id])
  return id
}
