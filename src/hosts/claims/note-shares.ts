import { z } from 'zod'
import type { HostMachine } from '../../../collect/host-api.ts'
import { observationColumns } from '../../../ingest/observation-columns.ts'
import type { Session } from '../../../platform/stores/postgres.ts'

const [idAt, priceAt] = [observationColumns.indexOf('machine_id'), observationColumns.indexOf('price')]
/** A line of the last release may have fewer columns at its end. */
const line = z.array(z.unknown()).min(Math.max(idAt, priceAt) + 1)

/** USD per GPU-hour that renters pay, by machine. */
export type RenterPrices = ReadonlyMap<number, number>

/** The prices of machines that a key shows, in the newest slot of their market. A machine that is not on the market has none. */
export async function renterPrices(market: Session, machines: readonly HostMachine[]): Promise<RenterPrices> {
  const ids = machines.map(({ id }) => id)
  const { rows } = await market.query<{ line: string }>('collector/newest_lines', [ids])
  return new Map(
    rows.map((row) => {
      const cells = line.parse(JSON.parse(row.line))
      return [Number(cells[idAt]), Number(cells[priceAt])]
    }),
  )
}

/** Records the host's share of the prices of the machines that a key shows now. */
export async function noteShares(site: Session, keyId: number, prices: RenterPrices): Promise<void> {
  await site.query('claims/note_shares', [keyId, [...prices.keys()], [...prices.values()]])
}
