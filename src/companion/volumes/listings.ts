import type pg from 'pg'
import { ApiError, invalidArgs } from '../../../platform/errors.ts'
import { defaultTerms, type Terms, unprocessable } from './terms.ts'

export interface ListedVolume {
  machine_id: number
  listing_id: number
  /** GB */
  size: number
  /** True if the listing is new. */
  created: boolean
  /** Number of extended running contracts. */
  extended: number
}

/** The values that a request sets; null: unchanged, or not hidden in a new listing. */
type RequestedTerms = Partial<Terms> & { hidden: boolean | null }

/** The machines of an account, and the time in unix seconds. */
interface Offered {
  accountId: number
  machineIds: number[]
  now: number
}

/** Creates or updates the volume listings of an account's machines. Throws 400, 402 and 422. */
export async function saveListings(
  client: pg.PoolClient,
  { accountId, machineIds, now }: Offered,
  given: RequestedTerms,
): Promise<ListedVolume[]> {
  const defaults = defaultTerms(now)
  const { rows: machines } = await client.query<Machine>('volumes/machines', [accountId, machineIds])
  if (machines.length < machineIds.length) throw invalidArgs('No such machine(s) for your account')
  if (machines.some(({ online }) => !online))
    throw new ApiError(402, 'machine_offline', 'error: can only create asks for an online machine.')
  for (const machine of machines) checkSize(machine, given.size, defaults.size)
  await client.query('volumes/end_expired', [machineIds])
  const { rows } = await client.query<ListedVolume>('volumes/save', [
    machineIds,
    given.size,
    given.price,
    given.endDate,
    given.hidden,
    defaults.size,
    defaults.price,
    defaults.endDate,
  ])
  return rows
}

interface Machine {
  id: number
  online: boolean
  /** GB that are not rented outside the active listing. */
  free: number
  /** GB of the active listing, and its rented GB. */
  listed_size: number | null
  rented: number
}

function checkSize({ id, free, listed_size, rented }: Machine, given: number | undefined, standard: number) {
  const size = given ?? listed_size ?? standard
  if (size > free) throw unprocessable(`Invalid size: machine ${id} has ${Math.max(0, free)} GB free`)
  // The check applies to a given size only: another update keeps the size of the listing.
  if (given !== undefined && given < rented)
    throw unprocessable(`Invalid size: ${rented} GB of the volume on machine ${id} are rented`)
}
