// Without zod: the page imports this, too. The first value of each list is the default.

/** The choices of a chart of the history. */
export const chartChoices = {
  metric: ['price', 'supply', 'occupancy', 'value'],
  side: ['available', 'rented'],
  unit: ['gpus', 'machines'],
  score: ['dlperf', 'tflops'],
  axis: ['usd', 'percent'],
  zone: ['local', 'utc'],
} as const

/** The largest number of GPU types that one chart can distinguish. */
export const mostCompared = 8

/** Titles of the history's figures. */
export const metricTitles = {
  price: 'Price',
  supply: 'Supply',
  occupancy: 'Occupancy',
  value: 'Performance per dollar',
} as const
