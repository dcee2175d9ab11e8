import type pg from 'pg'
import { type Postgres, transaction } from '../../src/platform/postgres.ts'
import { loadSql } from '../../src/platform/sql.ts'
import { catalog } from './catalog.ts'
import { type Changes, type Machine, type Market, type Rental, step } from './market.ts'
import { pick, type Random } from './random.ts'

interface LiveRental extends Rental {
  contract?: number
}

interface MachineRow {
  id: number
  gpu_name: string
  num_gpus: number
  verified: boolean
  secure: boolean
  online: boolean
  price: number
  rentals: LiveRental[]
}

// After a pause the market goes on from where it was: nobody looked at it meanwhile.
const longestStep = 3600
const shortestStep = 30

/**
 * Moves a simulated marketplace on to the present: rentals begin and end, hosts reprice, machines come and go. Does nothing in a
 * real one, nor when another process has just done it. Returns the number of changes.
 */
export async function advanceMarket(postgres: Postgres, random: Random = Math.random): Promise<number> {
  return transaction(postgres, async (client) => {
    const { rows } = await client.query<{ moods: Pick<Market, 'mood' | 'moods'>; seconds: number }>(
      'SELECT moods, extract(epoch FROM clock_timestamp() - advanced_to)::float8 AS seconds FROM simulation FOR UPDATE',
    )
    const [simulation] = rows
    if (!simulation || simulation.seconds < shortestStep) return 0
    const market: Market = { ...simulation.moods, machines: await readMachines(client, simulation.moods) }
    const changes = step(market, random, Math.min(simulation.seconds, longestStep))
    await write(client, changes, random)
    await client.query('UPDATE simulation SET moods = $1, advanced_to = clock_timestamp()', [
      { mood: market.mood, moods: market.moods },
    ])
    return Object.values(changes).reduce((sum, list) => sum + list.length, 0)
  })
}

async function readMachines(
  client: pg.PoolClient,
  { mood, moods }: Pick<Market, 'mood' | 'moods'>,
): Promise<Machine[]> {
  const { rows } = await client.query<MachineRow>(loadSql('postgres/queries/simulate_state'))
  return rows.flatMap((row) => {
    const type = catalog.find(({ name }) => name === row.gpu_name)
    if (!type) return []
    // Its host's margin isn't kept: it is what the price stands above the market.
    const margin = Math.log(row.price / type.price) - mood - (moods[type.name] ?? 0)
    const { id, verified, secure, online, price, rentals } = row
    return [{ id, type, numGpus: row.num_gpus, verified, secure, online, margin, price, rentals }]
  })
}

async function write(client: pg.PoolClient, changes: Changes, random: Random): Promise<void> {
  const ended = changes.ended.map(({ rental }) => (rental as LiveRental).contract)
  await client.query('DELETE FROM gpu_holds WHERE contract_id = ANY($1::int[])', [ended])
  await client.query(
    `UPDATE contracts SET ended_at = now(), actual_status = 'exited' WHERE id = ANY($1::int[])`,
    [ended],
  )
  if (changes.started.length > 0) {
    const { rows } = await client.query<{ id: number }>(
      'SELECT id FROM accounts WHERE NOT is_host AND NOT is_admin',
    )
    const renters = rows.map((row) => row.id)
    const rentals = changes.started.map(({ machine, rental }) => ({
      machine: machine.id,
      renter: pick(random, renters),
      ...rental,
    }))
    await client.query(loadSql('postgres/queries/simulate_rentals'), [JSON.stringify(rentals)])
  }
  await client.query(
    `UPDATE gpu_listings SET price = new.price FROM unnest($1::int[], $2::numeric[]) AS new(machine_id, price)
     WHERE gpu_listings.machine_id = new.machine_id AND ended_at IS NULL`,
    [changes.repriced.map(({ id }) => id), changes.repriced.map(({ price }) => price)],
  )
  await client.query('UPDATE machines SET online = NOT online WHERE id = ANY($1::int[])', [
    changes.toggled.map(({ id }) => id),
  ])
}
