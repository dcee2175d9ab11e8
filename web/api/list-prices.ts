import type { z } from 'zod'
import { typesNamed } from '../../contract/gpu-types.ts'
import type { CloudOffer, listPricesAnswer } from '../../contract/list-prices.ts'
import type { Value } from '../charts/spec.ts'

export type ListPrices = z.infer<typeof listPricesAnswer>

/** The name that list prices have for a GPU type of the market. */
export function cloudNameOf(name: string): string {
  const [type, other] = typesNamed(name)
  return type && !other ? type.name : name
}

/** The cheapest present offer of a GPU type of the market. */
export const cheapestOf = (
  prices: ListPrices | undefined,
  name: string,
  { spot }: { spot: boolean },
): CloudOffer | undefined =>
  prices?.gpus[cloudNameOf(name)]?.cheapest.find((offer) => offer.is_current && offer.spot === spot)

/** Its price. */
export const cloudPriceOf = (prices: ListPrices | undefined, name: string): Value =>
  cheapestOf(prices, name, { spot: false })?.price ?? null
