import { isDeepStrictEqual } from 'node:util'
import type pg from 'pg'
import { day } from '../contract/durations.ts'
import { floorTo } from '../contract/ladder.ts'
import type { TermName } from '../contract/listing-terms.ts'
import type { SpecName } from '../contract/spec-names.ts'
import { type Postgres, transaction } from '../platform/stores/postgres.ts'
import { one } from '../platform/stores/rows.ts'
import { demoAdmin, demoHost } from './demo-addresses.ts'
import { createMarket } from './history.ts'
import type { Rental, SimulatedMachine } from './market.ts'
import { drawPlace } from './places.ts'
import type { PastMachine, Plan, SimulatedPast } from './population.ts'
import { pick, type Random, seeded } from './random.ts'
import { openTerms, type SimulatedTerms } from './terms.ts'
import { figuresOf } from './unchanged-runs.ts'

export interface SeedOptions {
  seed: number
  /** Machines, about. */
  size: number
  /** Days of history to be filled in later (fill-history.ts). */
  days: number
  /** Seconds between slots. */
  interval: number
  /** Unix seconds; the database's clock unless given. */
  now?: number
}

const demoMachines = 14

/** A market that was simulated before its database was there. */
export interface PreparedMarket {
  plan: Plan
  market: SimulatedPast
}

/** Simulates a market for seedMarket, from a time that the database's clock has to confirm. */
export async function prepareMarket(options: SeedOptions & { now: number }): Promise<PreparedMarket> {
  const plan = planOf(options, options.now)
  return { plan, market: await createMarket(plan) }
}

const planOf = ({ seed, size, days, interval }: SeedOptions, now: number): Plan => ({
  seed,
  size,
  interval,
  anchor: floorTo(interval, now),
  past: floorTo(interval, days * day),
})

/**
 * Creates a simulated market in a database that has no accounts yet, in one transaction, and returns whether it did.
 * The row in `simulation` marks the market as simulated. Its accounts have addresses `…@demo.invalid`. `prepared` is taken if it is of the present slot.
 */
export async function seedMarket(
  postgres: Postgres,
  options: SeedOptions,
  prepared?: PreparedMarket,
): Promise<boolean> {
  return transaction(postgres, async (client) => {
    await client.query('LOCK TABLE accounts IN EXCLUSIVE MODE')
    const { rows } = await client.query<{ now: number; empty: boolean }>('simulate/may_seed')
    const { now, empty } = one(rows)
    if (!empty) return false
    const plan = planOf(options, options.now ?? now)
    const { seed, size, interval, anchor, past } = plan
    const market =
      prepared && isDeepStrictEqual(prepared.plan, plan) ? prepared.market : await createMarket(plan)
    const random = seeded(seed + 3)
    const { hosts, renters } = await createAccounts(client, market.machines.length)
    const seeding = { client, anchor, hosts, renters, random, terms: openTerms(seed) }
    await createMachines(seeding, market)
    await createRentals(seeding, market.machines)
    const moods = { mood: market.mood, moods: market.moods }
    await client.query('simulate/begin', [seed, size, interval, moods, anchor, anchor - past])
    return true
  })
}

/** The accounts of the demo keys; undefined in a real market. */
export async function demoAccounts(
  postgres: Postgres,
): Promise<{ hostId: number; adminId: number } | undefined> {
  const { rows } = await postgres.query<{ hostId: number; adminId: number }>('simulate/demo_accounts', [
    demoHost,
    demoAdmin,
  ])
  return rows[0]
}

/** Creates the host accounts, the demo host first, and the renters. */
async function createAccounts(client: pg.PoolClient, machines: number) {
  const create = async (query: string, parameters: unknown[]) => {
    const { rows } = await client.query<{ id: number }>(`simulate/${query}`, parameters)
    return rows.map((row) => row.id)
  }
  const demo = (await create('create_demo_accounts', [demoHost, demoAdmin])).slice(0, 1)
  const hosts = await create('create_accounts', ['host', true, Math.ceil(machines / 8)])
  const renters = await create('create_accounts', ['renter', false, Math.ceil(machines / 5)])
  return { hosts: [...demo, ...hosts], renters }
}

/** A market while it is written to the database. */
interface Seeding {
  client: pg.PoolClient
  /** The slot of the market's state. */
  anchor: number
  /** Host accounts, the demo host first. */
  hosts: number[]
  renters: number[]
  random: Random
  terms: SimulatedTerms
}

async function createMachines(seeding: Seeding, { machines, departed }: SimulatedPast): Promise<void> {
  const { client, anchor, random, terms } = seeding
  const [demo, ...hosts] = seeding.hosts
  // A few hosts have most of the machines. The demo host has some of every type, since machines of a type are adjacent.
  const host = () => hosts[Math.floor(random() ** 2 * hosts.length)]
  const row = (machine: PastMachine) => ({
    ...machineRow(machine, random, listingOf(terms, machine, anchor)),
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
  await client.query('simulate/last_machine')
}

/** The terms and the specs of a machine. */
export const listingOf = (terms: SimulatedTerms, machine: SimulatedMachine, time: number) => ({
  ...terms.at(machine, time),
  ...terms.specsAt(machine, time),
})

/** A machine as sql/postgres/queries/simulate.sql expects it, except host and times. */
export const machineRow = (
  machine: SimulatedMachine,
  random: Random,
  listing: Record<TermName | SpecName, number | string | boolean>,
) => ({
  ...listing,
  id: machine.id,
  gpu_name: machine.type.name,
  num_gpus: machine.numGpus,
  gpu_ram: machine.type.ram,
  ...figuresOf(machine),
  verification: machine.verification,
  hosting_type: machine.secure ? 'secure_cloud' : 'community',
  ...drawPlace(random),
  // Renters take any number of GPUs (market.ts).
  min_gpus: 1,
  online: machine.online,
  price: machine.price,
})

async function createRentals(
  { client, anchor, renters, random }: Seeding,
  machines: PastMachine[],
): Promise<void> {
  const rentals = machines.flatMap((machine) =>
    machine.rentals.map((rental) => ({
      ...rentalRow(machine, rental, renters, random),
      at: rental.since ?? anchor,
    })),
  )
  await enter(client, 'rentals', rentals)
}

// A jsonb value has at most 256 MB, which is some 500,000 machines.
const rowsPerStatement = 100_000

async function enter(client: pg.PoolClient, query: 'machines' | 'rentals', rows: object[]): Promise<void> {
  for (let from = 0; from < rows.length; from += rowsPerStatement) {
    const some = rows.slice(from, from + rowsPerStatement)
    await client.query(`simulate/${query}`, [JSON.stringify(some)])
  }
}

/** A rental as sql/postgres/queries/simulate.sql expects it, except the time of its beginning. */
export const rentalRow = (
  machine: SimulatedMachine,
  { gpus, price, type }: Rental,
  renters: number[],
  random: Random,
) => ({
  machine: machine.id,
  renter: pick(random, renters),
  price,
  rental_type: type === 'unknown' ? null : type,
  gpus,
})
