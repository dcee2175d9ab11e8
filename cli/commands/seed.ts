import type pg from 'pg'
import { createKey } from '../../platform/security/api-keys.ts'
import type { Vault } from '../../platform/security/vault.ts'
import { type Postgres, transaction } from '../../platform/stores/postgres.ts'
import { demoHost } from '../../simulate/seed.ts'
import { sealCredentials } from '../../src/companion/cloud/credentials.ts'

const demoRenter = 'renter@demo.invalid'

/** What there is to try every operation on. */
export interface Seeded {
  host_id: number
  renter_id: number
  team_id: number
  machine_id: number
  instance_id: number
  cloud_connection_id: number
}

/**
 * A host with a machine and a renter with an instance on it, a cloud connection and a team, of which the host is a member without a role.
 * Made once; a second call finds them.
 */
export async function seedAccounts(postgres: Postgres, vault: Vault): Promise<Seeded> {
  return transaction(postgres, async (client) => {
    await client.query('LOCK TABLE accounts IN SHARE ROW EXCLUSIVE MODE')
    const host_id = await person(client, 'Demo host', demoHost, true)
    const known = await client.query<Seeded>(
      `SELECT $2::int AS host_id, a.id AS renter_id, t.account_id AS team_id, c.machine_id, c.id AS instance_id, k.id AS cloud_connection_id
       FROM accounts a JOIN teams t ON t.owner_id = a.id JOIN contracts c ON c.account_id = a.id JOIN cloud_connections k ON k.account_id = a.id
       WHERE a.email = $1 ORDER BY t.account_id, c.id, k.id LIMIT 1`,
      [demoRenter, host_id],
    )
    if (known.rows[0]) return known.rows[0]
    const renter_id = await person(client, 'Demo renter', demoRenter, false)
    const { machine_id, instance_id } = await rent(client, host_id, renter_id)
    const credentials = { access_key_id: 'demo', secret_access_key: 'demo-secret', region: 'eu-central-1' }
    const cloud_connection_id = await insert(
      client,
      `INSERT INTO cloud_connections (account_id, name, provider, credentials_sealed) VALUES ($1, 'Demo bucket', 's3', $2) RETURNING id`,
      [renter_id, sealCredentials(vault, renter_id, credentials)],
    )
    return {
      host_id,
      renter_id,
      team_id: await team(client, renter_id, host_id),
      machine_id,
      instance_id,
      cloud_connection_id,
    }
  })
}

/** Keys for the seeded accounts; the team's is held by the renter, its owner. */
export async function seedKeys(postgres: Postgres, { host_id, renter_id, team_id }: Seeded) {
  const make = async (accountId: number, createdBy: number, name: string) =>
    (await createKey(postgres, { accountId, createdBy, name })).key
  return {
    host: await make(host_id, host_id, 'demo host'),
    renter: await make(renter_id, renter_id, 'demo renter'),
    team: await make(team_id, renter_id, 'demo team'),
  }
}

const insert = async (client: pg.PoolClient, text: string, values: unknown[]): Promise<number> => {
  const { rows } = await client.query<{ id: number }>(text, values)
  return (rows[0] as { id: number }).id
}

const person = (client: pg.PoolClient, name: string, email: string, isHost: boolean) =>
  insert(
    client,
    `INSERT INTO accounts (name, email, email_verified, is_host) VALUES ($1, $2, true, $3)
     ON CONFLICT (lower(email)) WHERE email IS NOT NULL DO UPDATE SET email = EXCLUDED.email RETURNING id`,
    [name, email, isHost],
  )

/** Not listed: the simulation of the market leaves this machine and its rental alone. */
async function rent(client: pg.PoolClient, hostId: number, renterId: number) {
  const machine_id = await insert(
    client,
    `INSERT INTO machines (account_id, gpu_name, num_gpus, gpu_ram, tflops, dlperf, disk_space)
     VALUES ($1, 'RTX 4090', 1, 24576, 82, 98, 500) RETURNING id`,
    [hostId],
  )
  const instance_id = await insert(
    client,
    'INSERT INTO contracts (machine_id, account_id, price, disk_space) VALUES ($1, $2, 0.35, 40) RETURNING id',
    [machine_id, renterId],
  )
  await client.query('INSERT INTO gpu_holds (machine_id, gpu_index, contract_id) VALUES ($1, 0, $2)', [
    machine_id,
    instance_id,
  ])
  return { machine_id, instance_id }
}

async function team(client: pg.PoolClient, ownerId: number, memberId: number): Promise<number> {
  const id = await insert(
    client,
    `INSERT INTO accounts (kind, name) VALUES ('team', 'Demo team') RETURNING id`,
    [],
  )
  await client.query('INSERT INTO teams (account_id, owner_id) VALUES ($1, $2)', [id, ownerId])
  await client.query('INSERT INTO team_members (team_id, user_id) VALUES ($1, $2)', [id, memberId])
  await client.query(
    `INSERT INTO roles (team_id, name, permissions) VALUES ($1, 'operator', '{"api": {"instance_read": {}, "instance_write": {}, "team_read": {}}}')`,
    [id],
  )
  return id
}
