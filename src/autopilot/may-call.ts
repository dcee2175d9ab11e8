import { exactly } from '../../contract/money.ts'
import { costsOf, marginOf } from '../../estimates/costs.ts'
import type { Postgres } from '../../platform/stores/postgres.ts'
import type { RuleMarket } from '../rules/markets.ts'
import type { Change } from './adapter.ts'

export interface Callable {
  /** The site's main database. */
  postgres: Postgres
  markets: readonly RuleMarket[]
  /** Asks the marketplace of a source once more whether it shows the machine to the account's key. */
  prove: (change: Change) => Promise<void>
}

const usd = exactly(4)

/**
 * Why a change must not be called, now that it is about to be. Nothing that held at the decision is believed: the floor of the costs is computed once
 * more, and the marketplace is asked once more. Last, one statement looks up the key, the rule and the right to set the price.
 */
export async function forbiddenBy(
  { postgres, markets, prove }: Callable,
  change: Change,
): Promise<string | undefined> {
  const market = markets.find(({ source }) => source === change.source)
  if (!market) return 'This site does not have the market any more'
  const { account, machines } = await market.costs.read(change.account_id)
  const own = machines.find(({ id }) => id === change.machine_id)
  const floor = marginOf(costsOf(account, own, change), change.num_gpus)?.minimum_bid ?? 0
  if (change.new_price < floor) return `The floor of the costs is ${usd(floor)} now`
  // A call with the host's key reads the machine with it first.
  if (change.adapter === 'command' || change.adapter === 'webhook') await prove(change)
  const query = 'autopilot/forbidden'
  const { rows } = await postgres.query<{ refusal: string | null }>(query, [change.id])
  const [found] = rows
  return found ? (found.refusal ?? undefined) : 'The decision is not there any more'
}
