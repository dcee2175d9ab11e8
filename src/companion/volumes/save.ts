import type pg from 'pg'
import { ApiError, invalidArgs } from '../../../platform/errors.ts'
import { loadSql } from '../../../platform/stores/sql.ts'
import { defaultTerms, type Terms, unprocessable } from './terms.ts'

export interface Listed {
  machine_id: number
  listing_id: number
  size: number
  created: boolean
  extended: number
}

/**
 * Lists volumes on machines of an account, or updates the listings that are live: all of them or none. What isn't given stays as it was, or is
 * the default. Running volume contracts are extended to a later end unless they would pay more. Throws 400, 402 and 422.
 */
export async function saveVolumes(
  client: pg.PoolClient,
  accountId: number,
  machineIds: number[],
  given: Partial<Terms>,
  hidden: boolean | null,
): Promise<Listed[]> {
  const defaults = defaultTerms()
  await checkMachines(client, accountId, machineIds, (listed) => given.size ?? listed ?? defaults.size)
  await client.query(
    'UPDATE volume_listings SET ended_at = end_date WHERE machine_id = ANY($1::int[]) AND ended_at IS NULL AND end_date <= now()',
    [machineIds],
  )
  const { rows } = await client.query<Listed>(loadSql('postgres/queries/volumes/save'), [
    machineIds,
    given.size,
    given.price,
    given.endDate,
    hidden,
    defaults.size,
    defaults.price,
    defaults.endDate,
  ])
  return rows
}

async function checkMachines(
  client: pg.PoolClient,
  accountId: number,
  ids: number[],
  sizeOf: (listed: number | null) => number,
): Promise<void> {
  const { rows } = await client.query<{
    id: number
    online: boolean
    free: number
    listed_size: number | null
  }>(loadSql('postgres/queries/volumes/machines'), [accountId, ids])
  if (rows.length < ids.length) throw invalidArgs('No such machine(s) for your account')
  if (rows.some(({ online }) => !online))
    throw new ApiError(402, 'machine_offline', 'error: can only create asks for an online machine.')
  const tooSmall = rows.find(({ free, listed_size }) => free < sizeOf(listed_size))
  if (tooSmall)
    throw unprocessable(
      `Invalid size: machine ${tooSmall.id} has ${Math.max(0, tooSmall.free)} GB that nobody else rents`,
    )
}
