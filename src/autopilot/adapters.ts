import type { Postgres } from '../../platform/stores/postgres.ts'
import type { KeyedApiOptions } from '../hosts/claims/keyed-api.ts'
import { isDelivered, type SendHook } from '../rules/webhook/send.ts'
import { priceHookPurpose, signedHeaders } from '../rules/webhook/sign.ts'
import { type Adapter, type Adapters, type Change, NotSet } from './adapter.ts'
import { command } from './command.ts'
import { sourceMarketplace } from './source-marketplace.ts'

interface AdapterOptions extends KeyedApiOptions {
  send: SendHook
  /** The program and arguments that set prices of sources; undefined: there is none. */
  command?: readonly string[] | undefined
}

export const openAdapters = (options: AdapterOptions): Adapters => ({
  marketplace: ownMarketplace(options.postgres),
  webhook: webhook(options),
  command: options.command && command(options.command),
  api: sourceMarketplace(options),
})

/** The site's own marketplace: the listing and the decision are changed by one statement. */
const ownMarketplace = (postgres: Postgres): Adapter => ({
  async set({ id, account_id, machine_id, old_price, new_price }) {
    const query = 'autopilot/set_listing'
    const values = [id, account_id, machine_id, old_price, new_price]
    const { rows } = await postgres.query<{ answer: string }>(query, values)
    if (!rows[0])
      throw new NotSet('The machine is no longer listed at the price that the decision was based on')
    return rows[0].answer
  },
  async read({ account_id, machine_id }) {
    const query = 'autopilot/read_listing'
    const { rows } = await postgres.query<{ price: number }>(query, [account_id, machine_id])
    if (!rows[0]) throw new NotSet('The machine is no longer listed')
    return rows[0].price
  },
  repeats: true,
})

/** The body that a receiver gets for a change. */
const payloadOf = ({ id, rule_id, source, machine_id, gpu_name, old_price, new_price, reason }: Change) =>
  JSON.stringify({
    type: 'price.change',
    data: { id, rule_id, source, machine_id, gpu_name, old_price, new_price, reason },
  })

/** A receiver of the host's own. Repeats have the id of the first attempt, so that the receiver recognizes them. */
const webhook = ({ vault, clock, send }: AdapterOptions): Adapter => ({
  async set(change) {
    const { id, account_id, webhook_url, webhook_secret_sealed } = change
    if (webhook_url === null || webhook_secret_sealed === null)
      throw new NotSet('The rule no longer has a webhook')
    const secret = vault.open(webhook_secret_sealed, priceHookPurpose(account_id))
    const body = payloadOf(change)
    const timestamp = Math.floor(clock.now())
    const sent = await send(webhook_url, signedHeaders(secret, { id, timestamp, body }), body)
    if (isDelivered(sent)) return `The receiver answered ${sent.status}`
    const { status, reason } = sent
    if (reason === 'refused_address')
      throw new NotSet('The address of the webhook is not on the public internet')
    if (status !== null && status >= 400 && status < 500 && status !== 408 && status !== 429)
      throw new NotSet(`The receiver answered ${status}`)
    throw new Error(status === null ? 'The receiver did not answer' : `The receiver answered ${status}`)
  },
  read: async () => undefined,
  repeats: true,
})
