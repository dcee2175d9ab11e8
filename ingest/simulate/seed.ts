import type pg from 'pg'
import { floorTo } from '../../src/platform/ladder.ts'
import { type Postgres, transaction } from '../../src/platform/postgres.ts'
import { loadSql } from '../../src/platform/sql.ts'
import { createMarket, type Machine, type Market } from './market.ts'
import { pick, seeded } from './random.ts'

export interface SeedOptions {
  seed: number
  /** Machines, about. */
  size: number
  /** Days of history to be filled in later (history.ts). */
  days: number
  /** Seconds between slots. */
  interval: number
}

export const demoHost = 'host@demo.invalid'
export const demoAdmin = 'admin@demo.invalid'

/**
 * Makes a simulated market in a database that has no accounts yet, all of it or nothing, and returns whether it did.
 * The market is marked as simulated by the row in `simulation`.
 */
export async function seedMarket(postgres: Postgres, options: SeedOptions): Promise<boolean> {
  return transaction(postgres, async (client) => {
    await client.query('LOCK TABLE accounts IN EXCLUSIVE MODE')
    const { rowCount } = await client.query('SELECT FROM accounts LIMIT 1')
    if (rowCount) return false
    const market = createMarket(seeded(options.seed), options.size)
    const { hosts, renters } = await createAccounts(client, market.machines.length)
    await createMachines(client, market, hosts, seeded(options.seed + 2))
    const random = seeded(options.seed + 3)
    const rentals = market.machines.flatMap((machine) =>
      machine.rentals.map(({ gpus, price }) => ({
        machine: machine.id,
        renter: pick(random, renters),
        price,
        gpus,
      })),
    )
    await client.query(loadSql('postgres/queries/simulate_rentals'), [JSON.stringify(rentals)])
    await client.query(
      `INSERT INTO simulation (seed, size, interval, moods, anchor_slot, filled_from, fill_until)
       SELECT $1, $2, $3, $4, slot, slot, slot - $5::bigint
       FROM (SELECT floor(extract(epoch FROM clock_timestamp()) / $3::int)::bigint * $3::int AS slot) AS now`,
      [
        options.seed,
        options.size,
        options.interval,
        { mood: market.mood, moods: market.moods },
        floorTo(options.interval, options.days * 86_400),
      ],
    )
    return true
  })
}

/** The demo host, some more hosts, and renters. */
async function createAccounts(client: pg.PoolClient, machines: number) {
  const create = async (values: string, parameters: unknown[]) => {
    const { rows } = await client.query<{ id: number }>(
      `INSERT INTO accounts (name, email, email_verified, is_host, is_admin) ${values} RETURNING id`,
      parameters,
    )
    return rows.map((row) => row.id)
  }
  const demo = await create(
    `VALUES ('Demo host (simulated)', $1::text, true, true, false), ('Demo admin (simulated)', $2, true, false, true)`,
    [demoHost, demoAdmin],
  )
  const hosts = await create(
    `SELECT 'Simulated host ' || n, NULL, false, true, false FROM generate_series(1, $1::int) AS n`,
    [Math.ceil(machines / 8)],
  )
  const renters = await create(
    `SELECT 'Simulated renter ' || n, NULL, false, false, false FROM generate_series(1, $1::int) AS n`,
    [Math.ceil(machines / 5)],
  )
  return { hosts: [...demo.slice(0, 1), ...hosts], renters }
}

async function createMachines(
  client: pg.PoolClient,
  market: Market,
  hosts: number[],
  random: () => number,
): Promise<void> {
  const [demo] = hosts
  const row = (machine: Machine, index: number) => ({
    id: machine.id,
    gpu_name: machine.type.name,
    num_gpus: machine.numGpus,
    gpu_ram: machine.type.ram,
    tflops: machine.type.tflops * machine.numGpus,
    dlperf: machine.type.dlperf * machine.numGpus,
    disk_space: 500 * machine.numGpus,
    verification: machine.verified ? 'verified' : 'unverified',
    hosting_type: machine.secure ? 'secure_cloud' : 'community',
    online: machine.online,
    price: machine.price,
    // Spread over the types, which stand one behind the other.
    host: index % Math.ceil(market.machines.length / 14) === 0 ? demo : pick(random, hosts),
  })
  await client.query(loadSql('postgres/queries/simulate_machines'), [
    JSON.stringify(market.machines.map(row)),
  ])
  await client.query(
    `SELECT setval(pg_get_serial_sequence('machines', 'id'), (SELECT max(id) FROM machines))`,
  )
}
