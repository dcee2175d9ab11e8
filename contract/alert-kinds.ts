// Without zod: the page imports this, too.

/** Figures of the market that a rule can watch. */
export const alertStatistics = [
  'avail_median',
  'avail_p10',
  'avail_p90',
  'rented_median',
  'rented_p10',
  'rented_p90',
  'occupancy',
  'fill_rate',
  'available_gpus',
  'total_gpus',
] as const

/** The most of what an account or a rule can have. */
export const alertLimits = {
  rules: 100,
  name: 100,
  slots: 288,
  hours: 720,
  days: 90,
  minutes: 10_080,
  tryDays: 31,
} as const
