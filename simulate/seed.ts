import type pg from 'pg'
import { floorTo } from '../contract/ladder.ts'
import { type Postgres, transaction } from '../platform/stores/postgres.ts'
import { loadSql } from '../platform/stores/sql.ts'
import type { Machine, Rental } from './market.ts'
import { createMarket, type PastMachine, type PastMarket } from './population.ts'
import { exponential, pick, type Random, seeded } from './random.ts'
import { figuresOf } from './unchanged-runs.ts'

export interface SeedOptions {
  seed: number
  /** Machines, about. */
  size: number
  /** Days of history to be filled in later (history.ts). */
  days: number
  /** Seconds between slots. */
  interval: number
  /** Unix seconds; the database's clock unless given. */
  now?: number
}

export const demoHost = 'host@demo.invalid'
export const demoAdmin = 'admin@demo.invalid'

const demoMachines = 14

/**
 * Makes a simulated market in a database that has no accounts yet, all of it or nothing, and returns whether it did.
 * The market is marked as simulated by the row in `simulation`, its accounts by their addresses (`…@demo.invalid`).
 */
export async function seedMarket(postgres: Postgres, options: SeedOptions): Promise<boolean> {
  return transaction(postgres, async (client) => {
    await client.query('LOCK TABLE accounts IN EXCLUSIVE MODE')
    const { rows } = await client.query<{ now: number; empty: boolean }>(
      `SELECT extract(epoch FROM clock_timestamp())::float8 AS now,
         NOT EXISTS (SELECT FROM accounts) AND NOT EXISTS (SELECT FROM simulation) AS empty`,
    )
    if (!rows[0]?.empty) return false
    const { seed, size, interval, days } = options
    const anchor = floorTo(interval, options.now ?? rows[0].now)
    const past = floorTo(interval, days * 86_400)
    const market = await createMarket({ seed, size, anchor, past })
    const random = seeded(seed + 3)
    const { hosts, renters } = await createAccounts(client, market.machines.length)
    await createMachines(client, market, anchor, hosts, random)
    await createRentals(client, market.machines, anchor, renters, random)
    await client.query(
      `INSERT INTO simulation (seed, size, interval, moods, anchor_slot, filled_from, fill_until, advanced_to)
       VALUES ($1, $2, $3, $4, $5, $5, $6, $5)`,
      [seed, size, interval, { mood: market.mood, moods: market.moods }, anchor, anchor - past],
    )
    return true
  })
}

/** The accounts that keys of a simulated market can be made for; undefined in a market that isn't. */
export async function demoAccounts(
  postgres: Postgres,
): Promise<{ hostId: number; adminId: number } | undefined> {
  const { rows } = await postgres.query<{ hostId: number; adminId: number }>(
    `SELECT host.id AS "hostId", admin.id AS "adminId" FROM accounts AS host, accounts AS admin
     WHERE host.email = $1 AND admin.email = $2 AND EXISTS (SELECT FROM simulation)`,
    [demoHost, demoAdmin],
  )
  return rows[0]
}

/** The demo host first, then more hosts; and renters. */
async function createAccounts(client: pg.PoolClient, machines: number) {
  const create = async (values: string, parameters: unknown[]) => {
    const { rows } = await client.query<{ id: number }>(
      `INSERT INTO accounts (name, email, email_verified, is_host, is_admin) ${values} RETURNING id`,
      parameters,
    )
    return rows.map((row) => row.id)
  }
  const [demo] = await create(
    `VALUES ('Demo host (simulated)', $1::text, true, true, false), ('Demo admin (simulated)', $2, true, false, true)`,
    [demoHost, demoAdmin],
  )
  const many = (what: string, isHost: boolean, count: number) =>
    create(
      `SELECT 'Simulated ' || $1::text || ' ' || n, $1 || '-' || n || '@demo.invalid', false, $2, false
       FROM generate_series(1, $3::int) AS n`,
      [what, isHost, count],
    )
  const hosts = await many('host', true, Math.ceil(machines / 8))
  const renters = await many('renter', false, Math.ceil(machines / 5))
  return { hosts: [demo as number, ...hosts], renters }
}

async function createMachines(
  client: pg.PoolClient,
  { machines, departed }: PastMarket,
  anchor: number,
  [demo, ...hosts]: number[],
  random: Random,
): Promise<void> {
  // A few hosts have most of the machines. The demo host has some of every kind: the types stand one behind the other.
  const host = () => hosts[Math.floor(random() ** 2 * hosts.length)]
  const row = (machine: PastMachine) => ({
    ...machineRow(machine, random),
    created_at: anchor - machine.came,
    removed_at: machine.left > 0 ? anchor - machine.left : null,
  })
  const every = Math.ceil(machines.length / demoMachines)
  const given = [
    ...machines.map((machine, index) => ({ ...row(machine), host: index % every === 0 ? demo : host() })),
    ...departed.map((machine) => ({
      ...row(machine),
      price: machine.type.price,
      online: false,
      host: host(),
    })),
  ]
  await enter(client, 'machines', given)
  await client.query(
    `SELECT setval(pg_get_serial_sequence('machines', 'id'), (SELECT max(id) FROM machines))`,
  )
}

const places = [
  'California, US',
  'Texas, US',
  'Quebec, CA',
  'Germany, DE',
  'Sweden, SE',
  'Poland, PL',
  'Japan, JP',
]

/** A machine as sql/postgres/queries/simulate/machines.sql takes it, but for its host and times. */
export const machineRow = (machine: Machine, random: Random) => ({
  id: machine.id,
  gpu_name: machine.type.name,
  num_gpus: machine.numGpus,
  gpu_ram: machine.type.ram,
  ...figuresOf(machine),
  disk_space: 500 * machine.numGpus,
  verification: machine.verification,
  hosting_type: machine.secure ? 'secure_cloud' : 'community',
  geolocation: pick(random, places),
  online: machine.online,
  price: machine.price,
})

async function createRentals(
  client: pg.PoolClient,
  machines: PastMachine[],
  anchor: number,
  renters: number[],
  random: Random,
): Promise<void> {
  // How long each has lasted is drawn, too: the walk through the past finds its own beginnings.
  const begun = (machine: PastMachine) => anchor - Math.min(exponential(random, 90_000), machine.came)
  const rentals = machines.flatMap((machine) =>
    machine.rentals.map((rental) => ({ ...rentalRow(machine, rental, renters, random), at: begun(machine) })),
  )
  await enter(client, 'rentals', rentals)
}

// A jsonb value has at most 256 MB, which is some 500,000 machines.
const rowsPerStatement = 100_000

async function enter(client: pg.PoolClient, query: 'machines' | 'rentals', rows: object[]): Promise<void> {
  for (let from = 0; from < rows.length; from += rowsPerStatement) {
    const some = rows.slice(from, from + rowsPerStatement)
    await client.query(loadSql(`postgres/queries/simulate/${query}`), [JSON.stringify(some)])
  }
}

/** A rental as sql/postgres/queries/simulate/rentals.sql takes it, but for the time of its beginning. */
export const rentalRow = (machine: Machine, { gpus, price }: Rental, renters: number[], random: Random) => ({
  machine: machine.id,
  renter: pick(random, renters),
  price,
  gpus,
})
