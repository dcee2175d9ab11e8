import type { Claim } from '../../../contract/claims.ts'
import { claimBody } from '../../../contract/claims.ts'
import { ApiError } from '../../../platform/errors.ts'
import { type Postgres, transaction } from '../../../platform/stores/postgres.ts'
import type { Stores } from '../../../platform/stores/stores.ts'
import { UsageError } from '../../../platform/usage-error.ts'
import { rosterOf } from '../machines/roster.ts'
import { watchSeries } from '../question/series.ts'
import { claimIn, claimsOf, requireShown, writeClaim } from './stored.ts'

interface Change {
  /** The source. */
  name: string
  hosts: readonly number[]
  machines: readonly number[]
  /** Takes the ids from the claim, or all of it where there are none; else they are added. */
  remove: boolean
}

/** Adds ids to a claim, or removes them. Returns what is claimed then; undefined: nothing. Throws UsageError for ids that the source has not shown. */
export async function changedClaim(
  site: Postgres,
  { postgres, clickhouse }: Stores,
  accountId: number,
  { name: source, hosts, machines, remove }: Change,
): Promise<Claim | undefined> {
  const roster = await rosterOf(clickhouse, await watchSeries(postgres, clickhouse).state())
  const isAll = remove && hosts.length + machines.length === 0
  const changed = (before: readonly number[], ids: readonly number[]) =>
    remove ? before.filter((id) => !isAll && !ids.includes(id)) : [...before, ...ids]
  return transaction(site, async (client) => {
    await client.query('SELECT FROM accounts WHERE id = $1 FOR UPDATE', [accountId])
    const before = (await claimsOf(client, accountId)).find((one) => one.source === source)
    const { data, error } = claimBody.safeParse({
      hosts: changed(before?.hosts ?? [], hosts),
      machines: changed(before?.machines ?? [], machines),
    })
    if (!data) throw new UsageError(`The claim would be too large: ${error.issues[0]?.message}`)
    const claim = { source, hosts: data.hosts, machines: data.machines }
    try {
      requireShown(roster, claim, before)
    } catch (error) {
      if (error instanceof ApiError) throw new UsageError(`${error.message}.`, { cause: error })
      throw error
    }
    await writeClaim(client, accountId, claim)
    return claim.hosts.length + claim.machines.length > 0 ? claimIn(roster, claim) : undefined
  })
}
