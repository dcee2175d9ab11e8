import { exactly } from '../../contract/money.ts'
import { marginOf } from '../../estimates/costs.ts'
import type { Postgres } from '../../platform/stores/postgres.ts'
import { costsOfMachine } from '../hosts/costs/stored.ts'
import { readHostShares } from '../hosts/machines/host-shares.ts'
import type { RuleMarket } from '../rules/markets.ts'
import type { Change } from './adapter.ts'

export interface Callable {
  /** The site's main database. */
  postgres: Postgres
  markets: readonly RuleMarket[]
  /** Verifies with the marketplace of a source that the account's key still shows the machine. */
  prove: (change: Change) => Promise<void>
}

const usd = exactly(4)

/**
 * The reason why a change must not be called, checked right before the call. Everything is checked again: the floor of the costs
 * is computed again, and the marketplace is read again. Last, one statement looks up the key, the rule and the right to set the
 * price.
 */
export async function forbiddenBy(
  { postgres, markets, prove }: Callable,
  change: Change,
): Promise<string | undefined> {
  const market = markets.find(({ source }) => source === change.source)
  if (!market) return 'This site no longer has the market'
  const { account_id, source, machine_id } = change
  const [costs, shares] = await Promise.all([
    market.costs.read(account_id),
    readHostShares(postgres, { account: account_id, source, ids: [machine_id] }),
  ])
  const machine = { ...change, id: machine_id, host_share: shares.get(machine_id)?.host_share }
  const floor = marginOf(costsOfMachine(costs, machine), change.num_gpus)?.minimum_bid ?? 0
  if (change.new_price < floor) return `The floor of the costs is ${usd(floor)} now`
  // The machine is read with the host's key before a call with it.
  if (change.adapter === 'command' || change.adapter === 'webhook') await prove(change)
  const query = 'autopilot/forbidden'
  const { rows } = await postgres.query<{ refusal: string | null }>(query, [change.id])
  const [found] = rows
  return found ? (found.refusal ?? undefined) : 'The decision no longer exists'
}
