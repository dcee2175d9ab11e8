import { termNames, terms } from '../../contract/listing-terms.ts'

const dollars = 'USD per GPU-hour'
const rentedPrice = 'of the rented GPUs, at the prices of their contracts'
const availablePrice = 'of the available GPUs, at the prices of their listings'
const percentiles = 'exact, weighted by GPUs, over all snapshots of the bucket'
const price = (what: string) => [dollars, what] as const
const gpus = (what: string) => ['GPUs', what] as const
const machines = (what: string) => ['machines', what] as const

/** Unit and meaning of every figure that a tool returns. docs/numbers.md has the details. */
const figures = {
  total: machines('On the market at the last snapshot of the bucket'),
  available: machines('With available GPUs, at the last snapshot of the bucket'),
  machines: machines('On the market when the GPU type was last seen'),
  total_gpus: gpus('On the market at the last snapshot of the bucket'),
  rented_gpus: gpus('Rented at the last snapshot of the bucket'),
  available_gpus: gpus('Available at the last snapshot of the bucket'),
  gpus: gpus('On the market when the GPU type was last seen'),
  usage: ['percent', 'Rented GPUs of all GPUs on the market'],
  usage_30d: ['percent', 'Rented GPUs of all GPUs, over all snapshots of the last 30 days'],
  rented_p10: price(`10th percentile ${rentedPrice}; ${percentiles}`),
  rented_median: price(`Median ${rentedPrice}; ${percentiles}`),
  rented_p90: price(`90th percentile ${rentedPrice}; ${percentiles}`),
  avail_p10: price(`10th percentile ${availablePrice}; ${percentiles}`),
  avail_median: price(`Median ${availablePrice}; ${percentiles}`),
  avail_p90: price(`90th percentile ${availablePrice}; ${percentiles}`),
  price_p10: price(`10th percentile ${availablePrice}`),
  price_p25: price(`25th percentile ${availablePrice}`),
  price_median: price(`Median ${availablePrice}`),
  price_p75: price(`75th percentile ${availablePrice}`),
  price_p90: price(`90th percentile ${availablePrice}`),
  price_change_7d: ['percent', 'Change of price_median against the snapshot seven days before'],
  dlperf: ['score per GPU', '90th percentile of the deep-learning score, weighted by GPUs'],
  tflops: ['TFLOPS per GPU', '90th percentile, weighted by GPUs'],
  dlperf_per_dollar: ['score per USD and hour', 'dlperf divided by the median price of available GPUs'],
  tflops_per_dollar: ['TFLOPS per USD and hour', 'tflops divided by the median price of available GPUs'],
  revpag: price('Revenue per GPU on the market: what the rented GPUs cost, divided by all GPUs'),
  adr: price('Mean price of the rented GPUs'),
  occupancy: ['share, 0 to 1', 'Rented GPUs of all GPUs on the market. revpag = adr × occupancy'],
  average_price: price('Mean price of the cheapest available GPUs, as many as asked for'),
  marginal_price: price('Price of the most expensive of them'),
  price: price('Price of the listing or of the contract'),
  floor: price('The lowest price that the rule and the costs allow'),
  new_price: price('The price that the rule would set'),
  list_price: price('List price of a cloud: the price of a whole instance, divided by its GPUs'),
  low: price('Lower edge of the bin; the first bin also holds all lower prices'),
  high: price('Upper edge of the bin, exclusive; the last bin also holds all higher prices'),
  mean_available: gpus('Available at prices of the bin, mean over the snapshots of the range'),
  mean_rented: gpus('Rented at prices of the bin, mean over the snapshots of the range'),
  unpriced_gpus: gpus('Rented GPUs whose price is not shown'),
  hours: ['hours', 'Hours of the range with a market snapshot'],
  share: [
    'share, 0 to 1',
    'Share of hours in which at least that many GPUs were available at the price or less',
  ],
  percent_of_hours: [
    'percent',
    'At least that many GPUs were available at `price` or less in this share of the hours',
  ],
  position: [
    'tenth, 0 to 9',
    'Price decile among the available GPUs of the type: 0 the cheapest, 9 the most expensive',
  ],
  asked_price: price('Lowest and highest price asked in the decile'),
  rentals: gpus('Rented in the range'),
  fill_rate: [
    'per GPU-hour',
    'Rentals per hour that a GPU is available, with its 95 % interval. Observed at these prices, not caused by them alone',
  ],
  ratio_to_mean: [
    'ratio',
    'Fill rate of an hour of the day (UTC, 0 to 23) ÷ mean of the week, on weekdays and at weekends. null: hours do not differ significantly',
  ],
  hours_to_rent: ['hours', 'Mean time until an available GPU is rented'],
  expected_occupancy: ['share, 0 to 1', 'Time that a GPU is rented, from the fill rate and the return rate'],
  index_level: [
    '100 at the base',
    'Törnqvist index of the prices of available GPUs on machines available on both days; null: too few of them. Levels of different bases cannot be compared',
  ],
  matched_machines: machines('Available on the day and on the day before'),
  num_gpus: gpus('Of the machine'),
  rented_price: price('Mean price of the rented GPUs of the machine'),
  avail_percentile: [
    'share, 0 to 1',
    'Available GPUs of the same type that cost less than the price of the machine',
  ],
  rented_percentile: [
    'share, 0 to 1',
    'Rented GPUs of the same type that cost less than the price of the machine',
  ],
  advice: [
    'USD per GPU-hour, and USD a day',
    'What to do with the price of the machine: `price` now, at most 20 % away, `end_price` where such steps lead, and the gain with the 95 % interval of the difference of both incomes. `grade` is the source of the estimate, `trial` the days and the most that a price to `try` costs, `wait` the hours until half of such machines are rented',
  ],
  start_price: [
    'USD per GPU-hour, and USD a day',
    'The `price` to begin with, `income_per_day` at it in the long run with its 95 % interval, the `wait` until half and four of five such machines are rented, and the `step` down if it is still free by then',
  ],
  fleet_gain: [
    'USD a day',
    'Gain of all changes of prices together, with the 95 % interval of the sum, which is narrower than the sum of intervals. `effect_per_day` is its part at other own machines; `held` keep their price because a lower one would take as much from other own machines',
  ],
  advice_outcomes: [
    'USD a day',
    'Income of a day on the market in the seven days before and after, added up over machines, beside the claimed gain with its interval. `coverage`: share of the changes within their intervals. `error_ratio`: error of the claims ÷ error of expecting no change',
  ],
  given_advice: [
    'USD per GPU-hour, and USD a day',
    'Advice as it was given: `price` then, `advised`, the claimed gain, if it was `followed` a day later (at least half of the way), and the income of a day before and after; null: not known yet',
  ],
  since_change: [
    'USD',
    'What the machine earned since its price changed, beside what one such machine earns in that time, with its 95 % interval',
  ],
  net: [
    'USD a day',
    'What a day should leave at its price after the costs that are known, with its 95 % interval; null: the host entered none',
  ],
  costs: [
    'USD, W, percent',
    'What the machine costs: `values`, of which `assumed` are not the host’s, and `unknown` is left out. Below `floor` an hour rented costs more than an hour idle; `minimum_bid` is the floor rounded up to the cent',
  ],
  expected: [
    'USD, days, share',
    'What the machine would have earned, the worst whole day of it, the days without a rental, the share of its GPU-hours that were rented, and what costs leave: means of 400 draws with the interval that holds 80 % of them; `deciles` has their distribution',
  ],
  actual: ['USD, days, share', 'What the machine actually earned in the same hours'],
  earned: [
    'USD',
    'Actual earnings that the marketplace reports, from GPUs, storage and traffic on whole days (UTC); `days` is how many of them are known. null: not reported, which is not 0',
  ],
  terms: [
    'USD, unix seconds, share',
    `${termNames.map((name) => `\`${name}\`: ${terms[name].meaning}`).join('; ')}. Of a GPU type over the \`machines\` of which it is known. null: not known`,
  ],
  income: [
    'USD per GPU and day',
    'What GPUs of the class earned on the market: revenue per available GPU × 24, with its 95 % interval over machines; `p25`, `median` and `p75` are of single machines. Observed, not promised',
  ],
  class_net: [
    'USD per GPU and day',
    'Income of the requested days less fee and power, as far as they were given; `not_taken_off` names the others',
  ],
  payback: [
    'months',
    'Purchase price ÷ net a month. `low` and `high` are from the interval of net, `falling` if prices go on falling as in the last 90 days; null with its reason',
  ],
  first_rental_hours: ['hours', 'Median time from the first sight of a new machine to its first rental'],
  price_change: ['share of 1', 'Change of the price index of the GPU type in 7, 30 and 90 days'],
  supply: [
    'GPUs, machines, share of 1',
    'GPUs of the last 7 days, their growth since 30 days before, and the machines that came and left since',
  ],
  worth: [
    'share of 1',
    'Difference of the `price` of rented GPUs, and of the rate of rentals at the same price (`fill`), per `unit` of the factor, between machines of one GPU type and size of memory. All intervals hold together in 95 % of cases. Observed, not caused',
  ],
  income_more: [
    'USD a day',
    'What machines of another group of terms (`from`, up to `to`) earned more, with the 95 % interval of the difference: `more` per GPU, `more_per_day` for all GPUs of a machine. `better` is the group that earned most more for certain. Observed, not caused',
  ],
  covered_seconds: ['seconds', 'For how long of the days asked for the machine was seen on the market'],
} as const satisfies Record<string, readonly [unit: string, definition: string]>

export type Figure = keyof typeof figures

/** Unit and definition of some figures, for an answer. */
export const defined = (names: readonly Figure[]) =>
  Object.fromEntries(names.map((name) => [name, { unit: figures[name][0], definition: figures[name][1] }]))
