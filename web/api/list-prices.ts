import type { z } from 'zod'
import { cloudMemoryOf, cloudNameOf } from '../../contract/gpu-types.ts'
import type { CloudOffer, listPricesAnswer } from '../../contract/list-prices.ts'
import type { Value } from '../charts/spec.ts'

export type ListPrices = z.infer<typeof listPricesAnswer>

/** The cheapest current cloud offer of a GPU type, with one of the given sizes of memory; without sizes: with any. */
export function cheapestOf(
  prices: ListPrices | undefined,
  name: string,
  { spot, sizes }: { spot: boolean; sizes: readonly number[] },
): CloudOffer | undefined {
  const type = cloudNameOf(name)
  return prices?.gpus[type]?.cheapest.find(
    (offer) =>
      offer.is_current &&
      offer.spot === spot &&
      (sizes.length === 0 || sizes.includes(cloudMemoryOf(type, offer.gpu_memory))),
  )
}

/** The price of an offer. */
export const cloudPriceOf = (prices: ListPrices | undefined, name: string, sizes: readonly number[]): Value =>
  cheapestOf(prices, name, { spot: false, sizes })?.price ?? null
