import type { MarketPlace } from '../../contract/places.ts'
import type { WorthAnswer } from '../../contract/worth.ts'

/** A place with how much more renters pay there, as a share; missing: no difference is sure. */
export interface PlaceWithWorth extends MarketPlace {
  premium?: number | null
  premium_low?: number | null
  premium_high?: number | null
}

/** The places whose price differs from others for sure. */
export const premiumsOf = (answer: WorthAnswer | undefined) =>
  new Map(
    (answer?.factors ?? [])
      .filter(({ kind, price }) => kind === 'place' && price.value !== null)
      .map(({ name, price }) => [
        name,
        { premium: price.value, premium_low: price.low, premium_high: price.high },
      ]),
  )
