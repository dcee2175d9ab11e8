import type { Postgres } from '../platform/stores/postgres.ts'
import { loadSql } from '../platform/stores/sql.ts'

/** Machines per spooled part: with some 100 bytes a row, 2–3 MB over the wire and one ClickHouse block. */
const machinesPerPart = 20_000

export interface Snapshot {
  slot: number
  observations: number
}

/** The slot that the database's clock is in now, in unix seconds. One clock decides for all workers. */
export async function currentSlot(postgres: Postgres, interval: number): Promise<number> {
  const { rows } = await postgres.query<{ slot: number }>(
    'SELECT floor(extract(epoch FROM clock_timestamp()) / $1)::bigint * $1 AS slot',
    [interval],
  )
  return rows[0]?.slot ?? Number.NaN
}

/**
 * Spools the market as it is now under `slot`. Returns undefined when the slot was taken before: by another worker, by an
 * earlier try of this one, or before the clock stepped back.
 */
export async function capture(postgres: Postgres, slot: number): Promise<Snapshot | undefined> {
  // Most calls come again for a slot that is in: spare them the look at the whole market.
  const { rowCount } = await postgres.query('SELECT FROM snapshots WHERE slot = $1', [slot])
  if (rowCount) return undefined
  const { rows } = await postgres.query<Snapshot>(loadSql('postgres/queries/market/capture'), [
    slot,
    await marketSource(postgres),
    machinesPerPart,
  ])
  return rows[0]
}

/** What a snapshot of this marketplace is called: `simulated` wherever the market is one of our own making. */
async function marketSource(postgres: Postgres): Promise<'market' | 'simulated'> {
  const { rowCount } = await postgres.query('SELECT FROM simulation')
  return rowCount ? 'simulated' : 'market'
}
