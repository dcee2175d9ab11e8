import type { MarketplaceTold } from '../../../contract/marketplace-told.ts'
import type { Session } from '../../../platform/stores/postgres.ts'

/** What the marketplace of a source told of machines with the key of their account, by id. Nothing of those of other accounts. */
export async function toldOf(
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
