import type pg from 'pg'
import { floorTo } from '../contract/ladder.ts'
import { type Postgres, transaction } from '../platform/stores/postgres.ts'
import { loadSql } from '../platform/stores/sql.ts'
import { catalog } from './catalog.ts'
import { askedPrice, type Machine, type Market, type Moods, type Rental, step } from './market.ts'
import { createMachine, drawType, lifetime, marginOf } from './population.ts'
import { pick, type Random, seededFor } from './random.ts'
import { machineRow, rentalRow } from './seed.ts'

interface Simulation {
  seed: number
  size: number
  interval: number
  moods: Moods
  advanced_to: number
  now: number
}

export interface AdvanceOptions {
  /** Seconds between steps; those of the history unless given. */
  interval?: number
  /** Unix seconds; the database's clock unless given. */
  now?: number
}

/** A machine in Postgres, and what the steps have made of it. */
interface Followed extends Machine {
  before: { online: boolean; price: number; rentals: Rental[] }
  mayLeave: boolean
}

// After a longer pause the market goes on from where it was: nobody looked at it meanwhile.
const mostSteps = 12
const longestStep = 3600

/**
 * Moves a simulated marketplace on to the present slot: rentals begin and end, hosts reprice, machines fail, come and go. Does
 * nothing in a real one, nor in a slot that it has come to before. Returns the number of changes.
 */
export async function advanceMarket(postgres: Postgres, options: AdvanceOptions = {}): Promise<number> {
  return transaction(postgres, async (client) => {
    const { rows } = await client.query<Simulation>(
      `SELECT seed, size, interval, moods, advanced_to, extract(epoch FROM clock_timestamp())::float8 AS now
       FROM simulation FOR UPDATE`,
    )
    const [simulation] = rows
    if (!simulation) return 0
    const interval = options.interval ?? simulation.interval
    const slot = floorTo(interval, options.now ?? simulation.now)
    const steps = Math.min(mostSteps, Math.ceil((slot - simulation.advanced_to) / interval))
    if (steps <= 0) return 0

    const random = seededFor(simulation.seed, slot)
    const market: Market<Followed> = {
      ...simulation.moods,
      machines: await readMachines(client, simulation.seed),
    }
    for (let left = steps - 1; left >= 0; left -= 1)
      step(market, random, Math.min(interval, longestStep), slot - left * interval)
    const days = (steps * Math.min(interval, longestStep)) / lifetime
    const leaving = market.machines.filter(({ mayLeave }) => random() < days && mayLeave)
    for (const machine of leaving) machine.rentals = []

    const changes =
      (await writeRentals(client, market.machines, slot, random)) +
      (await writeMachines(client, market.machines)) +
      (await removeMachines(client, leaving)) +
      (await addMachines(client, market, simulation, Math.floor(simulation.size * days + random()), random))
    await client.query('UPDATE simulation SET moods = $1, advanced_to = $2', [
      { mood: market.mood, moods: market.moods },
      slot,
    ])
    return changes
  })
}

interface MachineRow {
  id: number
  gpu_name: string
  num_gpus: number
  verification: Machine['verification']
  secure: boolean
  online: boolean
  may_leave: boolean
  price: number
  rentals: Rental[]
}

async function readMachines(client: pg.PoolClient, seed: number): Promise<Followed[]> {
  const { rows } = await client.query<MachineRow>(loadSql('postgres/queries/simulate/state'))
  return rows.flatMap((row) => {
    const type = catalog.find(({ name }) => name === row.gpu_name)
    if (!type) return []
    const { id, num_gpus: numGpus, verification, secure, online, may_leave: mayLeave, price, rentals } = row
    return {
      ...{ id, type, numGpus, verification, secure, online, price, mayLeave, rentals: [...rentals] },
      margin: marginOf(seed, id),
      free: numGpus - rentals.reduce((sum, { gpus }) => sum + gpus.length, 0),
      version: 0,
      before: { online, price, rentals },
    }
  })
}

/** Ends first: what becomes free may be rented again at once. */
async function writeRentals(
  client: pg.PoolClient,
  machines: Followed[],
  slot: number,
  random: Random,
): Promise<number> {
  const ended = machines.flatMap(({ rentals, before }) =>
    before.rentals.filter((rental) => !rentals.includes(rental)).map(({ contract }) => contract),
  )
  await client.query('DELETE FROM gpu_holds WHERE contract_id = ANY($1::int[])', [ended])
  await client.query(
    `UPDATE contracts SET ended_at = now(), actual_status = 'exited' WHERE id = ANY($1::int[])`,
    [ended],
  )
  const { rows } = await client.query<{ id: number }>(
    `SELECT id FROM accounts WHERE email LIKE 'renter-%@demo.invalid' ORDER BY id`,
  )
  const renters = rows.map((row) => row.id)
  const begun = machines.flatMap((machine) =>
    machine.rentals
      .filter(({ contract }) => contract === undefined)
      .map((rental) => ({ ...rentalRow(machine, rental, renters, random), at: slot })),
  )
  await client.query(loadSql('postgres/queries/simulate/rentals'), [JSON.stringify(begun)])
  return ended.length + begun.length
}

async function writeMachines(client: pg.PoolClient, machines: Followed[]): Promise<number> {
  const repriced = machines.filter(({ price, before }) => price !== before.price)
  await client.query(
    `UPDATE gpu_listings SET price = new.price FROM unnest($1::int[], $2::numeric[]) AS new(machine_id, price)
     WHERE gpu_listings.machine_id = new.machine_id AND ended_at IS NULL`,
    [repriced.map(({ id }) => id), repriced.map(({ price }) => price)],
  )
  const toggled = machines.filter(({ online, before }) => online !== before.online)
  await client.query(
    `UPDATE machines SET online = new.online FROM unnest($1::int[], $2::boolean[]) AS new(machine_id, online)
     WHERE machines.id = new.machine_id`,
    [toggled.map(({ id }) => id), toggled.map(({ online }) => online)],
  )
  return repriced.length + toggled.length
}

async function removeMachines(client: pg.PoolClient, machines: Machine[]): Promise<number> {
  const ids = [machines.map(({ id }) => id)]
  await client.query('UPDATE machines SET removed_at = now(), online = false WHERE id = ANY($1::int[])', ids)
  await client.query(
    'UPDATE gpu_listings SET ended_at = now() WHERE machine_id = ANY($1::int[]) AND ended_at IS NULL',
    ids,
  )
  return machines.length
}

async function addMachines(
  client: pg.PoolClient,
  market: Market,
  { seed, now }: Simulation,
  count: number,
  random: Random,
): Promise<number> {
  if (count === 0) return 0
  const { rows: ids } = await client.query<{ id: number }>(
    `SELECT nextval(pg_get_serial_sequence('machines', 'id'))::int AS id FROM generate_series(1, $1::int)`,
    [count],
  )
  const { rows: hosts } = await client.query<{ id: number }>(
    `SELECT id FROM accounts WHERE email LIKE 'host-%@demo.invalid' ORDER BY id`,
  )
  const added = ids.map(({ id }) => {
    const machine = createMachine(seed, id, random, drawType(random))
    machine.price = askedPrice(market, machine, random)
    return { ...machineRow(machine, random), host: pick(random, hosts).id, created_at: now, removed_at: null }
  })
  await client.query(loadSql('postgres/queries/simulate/machines'), [JSON.stringify(added)])
  return added.length
}
