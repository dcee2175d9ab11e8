import type pg from 'pg'
import { ApiError, invalidArgs } from '../../../platform/errors.ts'
import { defaultTerms, type Terms, unprocessable } from './terms.ts'

export interface ListedVolume {
  machine_id: number
  listing_id: number
  /** GB */
  size: number
  /** Whether the listing is new. */
  created: boolean
  /** How many running contracts were extended. */
  extended: number
}

/** What a request sets; null: hidden as before, or not hidden when the listing is new. */
type Given = Partial<Terms> & { hidden: boolean | null }

/** Which machines of an account, and when: unix seconds. */
interface Offered {
  accountId: number
  machineIds: number[]
  now: number
}

/** Creates or updates the volume listings of an account's machines. Throws 400, 402 and 422. */
export async function saveListings(
  client: pg.PoolClient,
  { accountId, machineIds, now }: Offered,
  given: Given,
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
  /** GB that nobody rents outside of the live listing. */
  free: number
  /** GB of the live listing, and how much of them is rented. */
  listed_size: number | null
  rented: number
}

function checkSize({ id, free, listed_size, rented }: Machine, given: number | undefined, standard: number) {
  const size = given ?? listed_size ?? standard
  if (size > free) throw unprocessable(`Invalid size: machine ${id} has ${Math.max(0, free)} GB free`)
  // Only a given size: another update leaves the listing as large as it is.
  if (given !== undefined && given < rented)
    throw unprocessable(`Invalid size: ${rented} GB of the volume on machine ${id} are rented`)
}
