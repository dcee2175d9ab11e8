import type pg from 'pg'
import { hour } from '../contract/durations.ts'
import { floorTo } from '../contract/ladder.ts'
import { type Postgres, transaction } from '../platform/stores/postgres.ts'
import { listingOf, machineRow, rentalRow } from './create-market.ts'
import { catalog } from './gpu-types.ts'
import {
  askedPrice,
  type Moods,
  type Rental,
  type RentalType,
  type SimulatedMachine,
  type SimulatedMarket,
  step,
} from './market.ts'
import { createMachine, drawType, lifetime, marginOf } from './population.ts'
import { pick, type Random, seededFor } from './random.ts'
import { openTerms, type SimulatedTerms } from './terms.ts'

interface Simulation {
  seed: number
  size: number
  interval: number
  moods: Moods
  advanced_to: number
  now: number
}

export interface AdvanceOptions {
  /** Seconds between steps; default: the interval of the history. */
  interval?: number
  /** Unix seconds; default: the database's clock. */
  now?: number
}

/** A machine of the database, and its state after the steps. */
interface Followed extends SimulatedMachine {
  before: { online: boolean; price: number; rentals: Rental[] }
  mayLeave: boolean
  hasTerms: boolean
  leaves: boolean
}

// After a longer pause the market continues from its old state, since there are no snapshots of the time between.
const mostSteps = 12
const longestStep = hour

/**
 * Moves a simulated marketplace to the present slot: rentals begin and end, hosts change prices, machines fail, come and go. Does nothing
 * in a real marketplace, and nothing twice for a slot. Returns the number of changes.
 */
export async function advanceMarket(postgres: Postgres, options: AdvanceOptions = {}): Promise<number> {
  return transaction(postgres, async (client) => {
    const { rows } = await client.query<Simulation>('simulate/lock')
    const [simulation] = rows
    if (!simulation) return 0
    const interval = options.interval ?? simulation.interval
    const slot = floorTo(interval, options.now ?? simulation.now)
    const steps = Math.min(mostSteps, Math.ceil((slot - simulation.advanced_to) / interval))
    if (steps <= 0) return 0

    const random = seededFor(simulation.seed, slot)
    const market: SimulatedMarket<Followed> = {
      ...simulation.moods,
      machines: await readMachines(client, simulation.seed),
    }
    for (let left = steps - 1; left >= 0; left -= 1)
      step(market, random, Math.min(interval, longestStep), slot - left * interval)
    const days = (steps * Math.min(interval, longestStep)) / lifetime
    const leaving = market.machines.filter(({ mayLeave }) => random() < days && mayLeave)
    for (const machine of leaving) Object.assign(machine, { rentals: [], leaves: true })

    const advance: Advance = { client, market, simulation, slot, random, terms: openTerms(simulation.seed) }
    const changes =
      (await writeRentals(advance)) +
      (await writeMachines(client, market.machines)) +
      (await writeTerms(advance)) +
      (await removeMachines(client, leaving)) +
      (await addMachines(advance, Math.floor(simulation.size * days + random())))
    await client.query('UPDATE simulation SET moods = $1, advanced_to = $2', [
      { mood: market.mood, moods: market.moods },
      slot,
    ])
    return changes
  })
}

/** A step of the market while it is written to the database. */
interface Advance {
  client: pg.PoolClient
  market: SimulatedMarket<Followed>
  simulation: Simulation
  slot: number
  random: Random
  terms: SimulatedTerms
}

interface MachineRow {
  id: number
  gpu_name: string
  num_gpus: number
  verification: SimulatedMachine['verification']
  secure: boolean
  online: boolean
  may_leave: boolean
  has_terms: boolean
  price: number
  rentals: Rental[]
}

async function readMachines(client: pg.PoolClient, seed: number): Promise<Followed[]> {
  const { rows } = await client.query<MachineRow>('simulate/state')
  return rows.flatMap((row) => {
    const type = catalog.find(({ name }) => name === row.gpu_name)
    if (!type) return []
    const { id, num_gpus: numGpus, verification, secure, online, may_leave: mayLeave, price, rentals } = row
    const { has_terms: hasTerms } = row
    return {
      id,
      type,
      numGpus,
      verification,
      secure,
      online,
      price,
      mayLeave,
      hasTerms,
      rentals: [...rentals],
      margin: marginOf(seed, id),
      free: numGpus - rentals.reduce((sum, { gpus }) => sum + gpus.length, 0),
      version: 0,
      leaves: false,
      before: { online, price, rentals },
    }
  })
}

/** Rentals end first, since a GPU that becomes free may be rented again at once. */
async function writeRentals({ client, market: { machines }, slot, random }: Advance): Promise<number> {
  const ended = machines.flatMap(({ rentals, before, leaves }) =>
    before.rentals
      .filter((rental) => !rentals.includes(rental))
      .map(({ contract, type }) => ({ contract, by: endedBy(type, leaves) })),
  )
  await client.query('simulate/end_rentals', [
    ended.map(({ contract }) => contract),
    ended.map(({ by }) => by),
  ])
  const renters = await accountsLike(client, 'renter-%@demo.invalid')
  const begun = machines.flatMap((machine) =>
    machine.rentals
      .filter(({ contract }) => contract === undefined)
      .map((rental) => ({ ...rentalRow(machine, rental, renters, random), at: slot })),
  )
  await client.query('simulate/rentals', [JSON.stringify(begun)])
  return ended.length + begun.length
}

/** The host ends the rentals of a machine that leaves, and the marketplace ends interruptible rentals. */
const endedBy = (type: RentalType, leaves: boolean): 'host' | 'system' | 'renter' =>
  leaves ? 'host' : type === 'interruptible' ? 'system' : 'renter'

async function accountsLike(client: pg.PoolClient, address: string): Promise<number[]> {
  const query = 'simulate/accounts_like'
  const { rows } = await client.query<{ id: number }>(query, [address])
  return rows.map((row) => row.id)
}

async function writeMachines(client: pg.PoolClient, machines: Followed[]): Promise<number> {
  const repriced = machines.filter(({ price, before }) => price !== before.price)
  await client.query('simulate/reprice', [repriced.map(({ id }) => id), repriced.map(({ price }) => price)])
  const toggled = machines.filter(({ online, before }) => online !== before.online)
  await client.query('simulate/set_online', [
    toggled.map(({ id }) => id),
    toggled.map(({ online }) => online),
  ])
  return repriced.length + toggled.length
}

/** Writes the terms and specs that are due, and these of machines from an earlier release. */
async function writeTerms({ client, market, simulation, slot, terms }: Advance): Promise<number> {
  const { advanced_to: before } = simulation
  const changed = market.machines
    .filter(({ id, hasTerms }) => !hasTerms || terms.eraOf(id, before) !== terms.eraOf(id, slot))
    .map((machine) => ({ id: machine.id, ...listingOf(terms, machine, slot) }))
  await client.query('simulate/set_terms', [JSON.stringify(changed)])
  return changed.length
}

async function removeMachines(client: pg.PoolClient, machines: SimulatedMachine[]): Promise<number> {
  await client.query('simulate/remove_machines', [machines.map(({ id }) => id)])
  return machines.length
}

async function addMachines(
  { client, market, simulation: { seed, now }, slot, random, terms }: Advance,
  count: number,
): Promise<number> {
  if (count === 0) return 0
  const { rows: ids } = await client.query<{ id: number }>('simulate/new_machine_ids', [count])
  const hosts = await accountsLike(client, 'host-%@demo.invalid')
  const added = ids.map(({ id }) => {
    const machine = createMachine(seed, id, random, drawType(random))
    machine.price = askedPrice(market, machine, random)
    return {
      ...machineRow(machine, random, listingOf(terms, machine, slot)),
      host: pick(random, hosts),
      created_at: now,
      removed_at: null,
    }
  })
  await client.query('simulate/machines', [JSON.stringify(added)])
  return added.length
}
