import type { HostApi, HostMachine } from '../../collect/host-api.ts'
import { HostApiError } from '../../collect/host-call.ts'
import { isSamePrice } from '../../estimates/autopilot.ts'
import { type KeyedApiOptions, type KeyOfClaim, openKeyedApi } from '../hosts/claims/keyed-api.ts'
import { type Adapter, type Change, NotSet } from './adapter.ts'

/**
 * The marketplace of a source, with the key of the claim. A new price lists the whole machine anew, so its terms are read first and sent back as
 * they are.
 */
export const sourceMarketplace = (options: KeyedApiOptions): Adapter => ({
  async set(change) {
    const { api, machine } = await find(options, change)
    const { listed_gpu_cost: price } = machine
    if (machine.listed === false || typeof price !== 'number')
      throw new NotSet('The machine is not listed any more')
    if (isSamePrice(price, change.new_price)) return 'The machine is listed at this price already'
    if (!isSamePrice(price, change.old_price))
      throw new NotSet(`The price is $${price} now: somebody else has changed it`)
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
  if (!rows[0]) throw new NotSet('The claim has no key any more to which the marketplace shows the machine')
  const api = await told(openKeyedApi(options, rows[0]))
  const machine = (await told(api.readOwnMachines())).find(({ id }) => id === machine_id)
  if (!machine) throw new NotSet('The marketplace does not show the machine to the key any more')
  return { api, machine }
}

/** A refusal has certainly set nothing. Whatever else went wrong leaves that open, and is found out by reading the price. */
const told = <T>(call: Promise<T>): Promise<T> =>
  call.catch((error: unknown) => {
    if (error instanceof HostApiError && (error.failure === 'key' || error.failure === 'refused'))
      throw new NotSet(error.message)
    throw error
  })
