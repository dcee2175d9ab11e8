import { type HostApi, type HostMachine, hasRental } from '../../collect/host-api.ts'
import { HostApiError } from '../../collect/host-call.ts'
import { isSamePrice } from '../../estimates/autopilot.ts'
import { type KeyedApiOptions, type KeyOfClaim, openKeyedApi } from '../hosts/claims/keyed-api.ts'
import { type Adapter, type Change, NotNow, NotSet } from './adapter.ts'

/**
 * The marketplace of a source, called with the key of the claim. A new price lists the whole machine again, so its terms are read
 * first and sent back unchanged.
 */
export const sourceMarketplace = (options: KeyedApiOptions): Adapter => ({
  async set(change) {
    const { api, machine } = await find(options, change)
    const { listed_gpu_cost: price } = machine
    if (machine.listed === false || typeof price !== 'number')
      throw new NotSet('The machine is no longer listed')
    if (isSamePrice(price, change.new_price)) return 'The machine is listed at this price already'
    if (!isSamePrice(price, change.old_price))
      throw new NotSet(`The price is $${price} now: somebody else has changed it`)
    // The rental may be newer than the decision.
    if (change.kind === 'change' && change.new_price > price && hasRental(machine))
      throw new NotNow(
        'The machine is rented: a higher price would be a request to the renter, and a rule makes none',
      )
    await told(api.relist(machine, change.new_price))
    return 'The marketplace listed the machine anew'
  },
  async read(change) {
    const { machine } = await find(options, change)
    return machine.listed_gpu_cost ?? undefined
  },
  repeats: true,
})

async function find(
  options: KeyedApiOptions,
  { account_id, machine_id, source }: Change,
): Promise<{ api: HostApi; machine: HostMachine }> {
  const query = 'claims/key_of_machine'
  const { rows } = await options.postgres.query<KeyOfClaim>(query, [account_id, machine_id, source])
  if (!rows[0]) throw new NotSet('The claim no longer has a key to which the marketplace shows the machine')
  const api = await told(openKeyedApi(options, rows[0]))
  const machine = (await told(api.readOwnMachines())).find(({ id }) => id === machine_id)
  if (!machine) throw new NotSet('The marketplace no longer shows the machine to the key')
  return { api, machine }
}

/** A refusal has certainly set nothing. After any other error the outcome is unknown, and is resolved by reading the price. */
const told = <T>(call: Promise<T>): Promise<T> =>
  call.catch((error: unknown) => {
    if (error instanceof HostApiError && (error.failure === 'key' || error.failure === 'refused'))
      throw new NotSet(error.message)
    throw error
  })
