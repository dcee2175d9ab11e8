// Without zod: the page imports this, too. The figures are in the order of an answer.

/** Machines and GPUs of the history. */
export const countFigures = [
  'total',
  'available',
  'rented_verified',
  'avail_verified',
  'rented_unverified',
  'avail_unverified',
  'total_gpus',
  'rented_verified_gpus',
  'avail_verified_gpus',
  'rented_unverified_gpus',
  'avail_unverified_gpus',
] as const

/** Prices of the history, USD per GPU-hour. */
export const priceFigures = [
  'rented_p10',
  'rented_median',
  'rented_p90',
  'avail_p10',
  'avail_median',
  'avail_p90',
] as const
