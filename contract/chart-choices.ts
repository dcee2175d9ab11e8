// Without zod: the page imports this, too. The first of each is the default.

/** How a chart of the history reads it. */
export const chartChoices = {
  metric: ['price', 'supply', 'occupancy', 'value'],
  side: ['available', 'rented'],
  unit: ['gpus', 'machines'],
  score: ['dlperf', 'tflops'],
  axis: ['usd', 'percent'],
  zone: ['local', 'utc'],
} as const

/** How many GPU types one chart can tell apart. */
export const mostCompared = 8

/** What charts of the history show, in words. */
export const metricTitles = {
  price: 'Price',
  supply: 'Supply',
  occupancy: 'Occupancy',
  value: 'Performance per dollar',
} as const
