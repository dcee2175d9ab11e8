// Without zod: the page imports this, too.

/** The host's part of what renters pay at the marketplace of a source. */
export interface HostShare {
  /** 0 to 1 */
  share: number
}

/** Prices have nine decimals at most. */
const toNanos = (price: number): number => Number(price.toFixed(9))

/** The host's part of a price or an income. Without a known share it is all of it. */
export const hostPart = (renterPrice: number, of: HostShare | null | undefined): number =>
  of ? toNanos(renterPrice * of.share) : renterPrice

/** The price that renters pay where a host asks this one. */
export const renterPrice = (hostPrice: number, of: HostShare | null | undefined): number =>
  of ? toNanos(hostPrice / of.share) : hostPrice

/** Offers with the host's part of their prices. */
export const hostAsks = <Ask extends { price: number }>(
  asks: readonly Ask[],
  of: HostShare | null | undefined,
): Ask[] => asks.map((ask) => ({ ...ask, price: hostPart(ask.price, of) }))
