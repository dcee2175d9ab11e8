/** The built-in formats of `rackrate import`. */
export const formatNames = ['aws-spot', 'vast-machine-prices', 'vast-offers', 'rental-offers-daily'] as const

export type FormatName = (typeof formatNames)[number]
