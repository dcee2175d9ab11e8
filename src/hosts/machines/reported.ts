import type { MarketplaceTold } from '../../../contract/marketplace-told.ts'
import type { Session } from '../../../platform/stores/postgres.ts'

/** The data about machines that the marketplace of a source reported to the key of their account, by id. Machines of other accounts are left out. */
export async function readReported(
  site: Session,
  { account, source, ids }: { account: number; source: string; ids: readonly number[] },
): Promise<Map<number, MarketplaceTold>> {
  const query = 'claims/earned'
  const { rows } = await site.query<{ id: number; marketplace: MarketplaceTold }>(query, [
    account,
    source,
    ids,
  ])
  return new Map(rows.map(({ id, marketplace }) => [id, marketplace]))
}
