import type { Postgres } from '../platform/stores/postgres.ts'
import { one } from '../platform/stores/rows.ts'

/** Machines in one part of the spool: about 2–3 MB of lines, which become one block in ClickHouse. */
const machinesPerPart = 20_000

export interface Snapshot {
  slot: number
  observations: number
  /** Number of machines without observations, since more of their GPUs are in contracts than they have. */
  left_out?: number
  /** The first ten of these machines. */
  left_out_machines?: number[]
  /** Number of specs that are not recorded, since they are not possible. */
  left_out_specs?: number
}

/** The current slot, in unix seconds. The clock of the database decides, so all workers agree. */
export async function currentSlot(postgres: Postgres, interval: number): Promise<number> {
  const { rows } = await postgres.query<{ slot: number }>('market/current_slot', [interval])
  return one(rows).slot
}

/**
 * Writes the current market to the spool as the snapshot of `slot`. Returns undefined when the slot was captured before: by
 * another worker, by an earlier attempt, or before the clock stepped back.
 */
export async function capture(postgres: Postgres, slot: number): Promise<Snapshot | undefined> {
  // Most calls are for a slot that was captured already. They need not read the whole market.
  const { rowCount } = await postgres.query('SELECT FROM snapshots WHERE slot = $1', [slot])
  if (rowCount) return undefined
  const { rows } = await postgres.query<Snapshot>('market/capture', [
    slot,
    await marketSource(postgres),
    machinesPerPart,
  ])
  return rows[0]
}

/** The source of snapshots of this marketplace. */
async function marketSource(postgres: Postgres): Promise<'market' | 'simulated'> {
  const { rowCount } = await postgres.query('SELECT FROM simulation')
  return rowCount ? 'simulated' : 'market'
}
