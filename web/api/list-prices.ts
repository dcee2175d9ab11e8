import type { z } from 'zod'
import { cloudNameOf } from '../../contract/gpu-types.ts'
import type { CloudOffer, listPricesAnswer } from '../../contract/list-prices.ts'
import type { Value } from '../charts/spec.ts'

export type ListPrices = z.infer<typeof listPricesAnswer>

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
