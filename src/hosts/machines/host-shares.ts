import type { OwnHostShare } from '../../../contract/host-share.ts'
import { hostPart } from '../../../estimates/host-price.ts'
import type { Session } from '../../../platform/stores/postgres.ts'

/** A row of claims/shares. */
interface ShareRow {
  id: number
  /** The price that the host asks, as the key showed it last; null: there is no key. */
  listed: number | null
  host_share: OwnHostShare
}

/** The host's shares of machines of an account, by id. Empty where they are not known, and in the site's own market, whose fee is among the costs. */
export async function readHostShares(
  site: Session,
  { account, source, ids }: { account: number; source: string | null; ids: readonly number[] },
): Promise<ReadonlyMap<number, ShareRow>> {
  const { rows } = await site.query<ShareRow>('claims/shares', [account, source, ids])
  return new Map(rows.map((row) => [row.id, row]))
}

/** Prices this close are the same, before and after rounding. */
const nearlySame = 0.005

/** The host's part of what renters pay now. The host's own price is exact, and counts where it is the one that the market shows. */
export function hostPriceOf(renterPrice: number | null, row: ShareRow | undefined): number | null {
  if (renterPrice === null) return null
  const price = hostPart(renterPrice, row?.host_share)
  const listed = row?.listed ?? null
  return listed !== null && Math.abs(listed - price) <= nearlySame * price ? listed : price
}
