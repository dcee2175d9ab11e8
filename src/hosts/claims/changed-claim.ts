import type { Claim, ClaimedIds } from '../../../contract/claims.ts'
import { claimBody } from '../../../contract/claims.ts'
import type { Clock } from '../../../platform/clock.ts'
import { ApiError } from '../../../platform/errors.ts'
import { lockAccount } from '../../../platform/security/lock-account.ts'
import type { Vault } from '../../../platform/security/vault.ts'
import { commandLine, type Postgres, transaction } from '../../../platform/stores/postgres.ts'
import type { Stores } from '../../../platform/stores/stores.ts'
import { UsageError } from '../../../platform/usage-error.ts'
import { watchSeries } from '../../market/market-query/series.ts'
import { rosterOf } from '../machines/roster.ts'
import { forgetKey, keepKey, testKey, withKey } from './host-key.ts'
import { claimIn, claimsOf, requireShown, writeClaim } from './stored.ts'

interface Change {
  /** The source. */
  name: string
  hosts: readonly number[]
  machines: readonly number[]
  /** Removes the ids from the claim, or the whole claim without ids. Otherwise they are added. */
  remove: boolean
  /** The key of the host at the marketplace; null: delete it; undefined: keep it. */
  key?: string | null | undefined
}

interface Site {
  postgres: Postgres
  vault: Vault
  clock: Clock
}

/**
 * Adds ids and a key to a claim, or removes them. Returns the changed claim; undefined: nothing is claimed. Throws UsageError for
 * ids that the source has not shown, and for a key that its marketplace refuses.
 */
export async function changedClaim(
  site: Site,
  { postgres, clickhouse }: Stores,
  accountId: number,
  change: Change,
): Promise<Claim | undefined> {
  const roster = await rosterOf(clickhouse, await watchSeries(postgres, clickhouse).state())
  const { name: source, key } = change
  try {
    const { data, error } = claimBody.shape.key.safeParse(key)
    if (error) throw new UsageError(`The key ${error.issues[0]?.message}.`)
    const tested = data ? await testKey({ postgres, clock: site.clock }, source, data) : undefined
    return await transaction(
      site.postgres,
      async (client) => {
        await lockAccount(client, accountId)
        const claimOf = async () => (await claimsOf(client, accountId)).find((one) => one.source === source)
        const before = await claimOf()
        const ids = withKey(roster, changedIds(before, change), tested)
        requireShown(roster, { source, ...ids }, before)
        await writeClaim(client, accountId, { source, ...ids })
        if (key === null) await forgetKey(client, accountId, source)
        if (tested) await keepKey(client, site.vault, { accountId, source, tested })
        const after = await claimOf()
        return after && claimIn(roster, after)
      },
      commandLine,
    )
  } catch (error) {
    if (error instanceof ApiError) throw new UsageError(sentence(error.message), { cause: error })
    throw error
  }
}

const sentence = (text: string) => (text.endsWith('.') ? text : `${text}.`)

function changedIds(before: ClaimedIds | undefined, { hosts, machines, remove }: Change): ClaimedIds {
  const isAll = remove && hosts.length + machines.length === 0
  const changed = (known: readonly number[] = [], ids: readonly number[]) =>
    remove ? known.filter((id) => !isAll && !ids.includes(id)) : [...known, ...ids]
  const { data, error } = claimBody.safeParse({
    hosts: changed(before?.hosts, hosts),
    machines: changed(before?.machines, machines),
  })
  if (!data) throw new UsageError(`The claim would be too large: ${error.issues[0]?.message}`)
  return data
}
