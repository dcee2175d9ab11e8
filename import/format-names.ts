/** The built-in formats of `rackrate import`. */
export const formatNames = ['aws-spot', 'vast-machine-prices', 'vast-offers', 'rental-offers-daily'] as const

export type FormatName = (typeof formatNames)[number]

/** The options that a file is read with. */
export interface FormatOptions {
  format?: FormatName
  /** The offers file of `aws-spot`. */
  offers?: string
  map?: string
  /** The name of observations that are read with `map`. */
  source: string
}
