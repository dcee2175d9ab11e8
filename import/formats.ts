import type { Format } from './observation.ts'
import { rentalOffersDaily } from './rental-offers.ts'
import { vastMachinePrices, vastOffers } from './vast.ts'

/** The formats that need nothing but their name; `aws-spot` also needs the file of its offers. */
export const builtIn: ReadonlyMap<string, Format> = new Map(
  [vastMachinePrices, vastOffers, rentalOffersDaily].map((format) => [format.source, format]),
)
