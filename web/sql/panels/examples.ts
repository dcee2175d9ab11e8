export interface Example {
  title: string
  /** The question of a host that it answers. */
  about: string
  query: string
  /** The initial values of its parameters. */
  values?: Record<string, string>
}

/** Questions of hosts as queries; test/browser/sql-sidebar.test.ts runs them all. Queries by whole hours read price_histogram, which is smaller. */
export const examples: readonly Example[] = [
  {
    title: 'Cheapest verified 8×H100, by hour',
    about: 'The lowest price of a whole machine.',
    query: `SELECT
  toStartOfHour(slot) AS hour,
  min(price) AS cheapest,
  quantileExactWeighted(0.5)(price, gpus) AS median
FROM observations
WHERE gpu_name LIKE 'H100%' AND num_gpus = 8 AND verified AND NOT rented
  AND slot > now() - INTERVAL 7 DAY
GROUP BY hour
ORDER BY hour`,
  },
  {
    title: 'Price volatility by GPU',
    about: 'Standard deviation of the hourly median, relative to its mean: if it is high, timing matters.',
    query: `SELECT
  gpu_name,
  round(stddevPop(median) / avg(median), 4) AS volatility,
  round(avg(median), 3) AS mean_price,
  count() AS hours
FROM (
  SELECT hour, gpu_name, toFloat64(quantileExactWeighted(0.5)(price, gpus)) AS median
  FROM price_histogram FINAL
  WHERE NOT rented AND hour > now() - INTERVAL 7 DAY
  GROUP BY hour, gpu_name
)
GROUP BY gpu_name
HAVING hours >= 24
ORDER BY volatility DESC`,
  },
  {
    title: 'Share of time under a price',
    about: 'The share of snapshots in which a GPU was available at this price per hour or less.',
    values: { usd: '0.5' },
    query: `-- Of all snapshots: one without an available GPU counts as well.
WITH (SELECT uniqExact(slot) FROM slots FINAL WHERE ready AND slot > now() - INTERVAL 7 DAY) AS all_slots
SELECT
  gpu_name,
  round(countIf(cheapest <= {usd:Float64}) / all_slots, 4) AS share_of_time,
  min(cheapest) AS lowest,
  count() AS slots_with_offers
FROM (
  SELECT slot, gpu_name, toFloat64(min(price)) AS cheapest
  FROM observations
  WHERE NOT rented AND slot > now() - INTERVAL 7 DAY
  GROUP BY slot, gpu_name
)
GROUP BY gpu_name
HAVING share_of_time > 0
ORDER BY share_of_time DESC, gpu_name`,
  },
  {
    title: 'Churn of machines',
    about: 'How many joined and left the market, by day.',
    query: `SELECT
  event.1 AS day,
  countIf(event.2 = 'came') AS came,
  countIf(event.2 = 'left') AS left
FROM (
  SELECT arrayJoin([(toDate(min(slot)), 'came'), (toDate(max(slot)), 'left')]) AS event
  FROM observations
  GROUP BY machine_id
)
-- On the first and on the last day every machine comes or leaves.
WHERE day > (SELECT toDate(min(slot)) FROM slots) AND day < (SELECT toDate(max(slot)) FROM slots)
GROUP BY day
ORDER BY day`,
  },
  {
    title: 'Terms by reliability',
    about: 'What hosts ask for beside the price now, and when their listings end.',
    query: `SELECT
  round(reliability, 2) AS reliable,
  count() AS machines,
  median(toFloat64(min_bid)) AS median_bid,
  median(toFloat64(storage_cost)) AS median_storage,
  countIf(end_date < now() + INTERVAL 7 DAY) AS end_this_week
FROM (SELECT * FROM terms FINAL ORDER BY slot DESC LIMIT 1 BY gpu_name, machine_id)
WHERE reliability IS NOT NULL
GROUP BY reliable
ORDER BY reliable DESC`,
  },
  {
    title: 'Price by rig size',
    about: 'Whether GPUs in larger machines cost more each.',
    values: { gpu: 'RTX 4090' },
    query: `SELECT
  concat(toString(num_gpus), ' × ', gpu_name) AS rig,
  quantileExactWeighted(0.5)(price, gpus) AS median,
  quantileExactWeighted(0.1)(price, gpus) AS low,
  quantileExactWeighted(0.9)(price, gpus) AS high,
  uniq(machine_id) AS machines
FROM observations
WHERE gpu_name = {gpu:String} AND NOT rented AND slot > now() - INTERVAL 1 DAY
GROUP BY gpu_name, num_gpus
ORDER BY num_gpus`,
  },
  {
    title: 'What a GPU earns',
    about: 'USD per hour of a GPU that is on the market, rented or not: price times occupancy.',
    query: `SELECT
  gpu_name,
  round(toFloat64(sumIf(price * gpus, rented)) / sum(gpus), 4) AS earned_per_hour,
  round(sumIf(gpus, rented) / sum(gpus), 3) AS occupancy,
  quantileExactWeightedIf(0.5)(price, gpus, rented) AS rented_median
FROM observations
WHERE slot > now() - INTERVAL 7 DAY
GROUP BY gpu_name
ORDER BY earned_per_hour DESC`,
  },
  {
    title: 'How fast each price rents',
    about:
      'Rentals per 100 GPU-hours and hours until a rental, by price decile: 0 is the cheapest, 9 the most expensive.',
    query: `SELECT
  position,
  sum(rentals) AS rented_gpus,
  round(sum(exposure) / 3600) AS exposed_hours,
  round(100 * rented_gpus / nullIf(exposed_hours, 0), 2) AS per_100_hours,
  round(exposed_hours / nullIf(rented_gpus, 0), 1) AS hours_to_rent,
  min(price_low) AS lowest_price,
  max(price_high) AS highest_price
FROM flows FINAL
WHERE gpu_name = 'RTX 4090' AND position < 10 AND hour > now() - INTERVAL 7 DAY
GROUP BY position
ORDER BY position`,
  },
  {
    title: 'What new rentals pay',
    about: 'Mean price of the GPUs that were rented on each day, and how many came back.',
    query: `SELECT
  toDate(hour) AS day,
  gpu_name,
  sum(rentals) AS rented_gpus,
  sum(returns) AS returned_gpus,
  round(toFloat64(sum(rental_value)) / nullIf(rented_gpus, 0), 4) AS price
FROM flows FINAL
WHERE hour > now() - INTERVAL 7 DAY
GROUP BY day, gpu_name
HAVING rented_gpus > 0
ORDER BY day, rented_gpus DESC`,
  },
  {
    title: 'Busy hours of the day',
    about: 'The share of GPUs that is rented, by hour (UTC).',
    query: `SELECT
  formatDateTime(slot, '%H:00') AS hour,
  round(sumIf(gpus, rented) / sum(gpus), 4) AS rented_share
FROM observations
WHERE slot > now() - INTERVAL 7 DAY
GROUP BY hour
ORDER BY hour`,
  },
  {
    title: 'What verification is worth',
    about: 'Median prices of rented GPUs on verified machines against others.',
    query: `SELECT
  gpu_name,
  round(toFloat64(verified_median) / toFloat64(other_median) - 1, 3) AS premium,
  quantileExactWeightedIf(0.5)(price, gpus, verified) AS verified_median,
  quantileExactWeightedIf(0.5)(price, gpus, NOT verified) AS other_median
FROM price_histogram FINAL
WHERE rented AND hour > now() - INTERVAL 7 DAY
GROUP BY gpu_name
HAVING countIf(verified) > 0 AND countIf(NOT verified) > 0
ORDER BY premium DESC`,
  },
  {
    title: 'Medians of a few GPUs over time',
    about: 'From the stored answers of the price history: instant over any range.',
    query: `SELECT bucket, gpu_name, avail_median
FROM market
WHERE step = 3600 AND gpu_name IN ('RTX 4090', 'RTX 5090', 'H100 SXM')
  AND bucket > now() - INTERVAL 7 DAY
ORDER BY bucket, gpu_name`,
  },
  {
    title: 'The price index of the market',
    about: 'Prices of the same machines compared from day to day, by GPU. An empty name is the market.',
    query: `SELECT day, gpu_name, round(100 * (exp(ln_link) - 1), 2) AS percent, machines, matched_share, edition, hash
FROM price_index FINAL
WHERE day > today() - 30
ORDER BY edition DESC
LIMIT 1 BY day, gpu_name`,
  },
  {
    title: 'Machines that left',
    about: 'Machines that were on the market last week and are not this week, with their last asking price.',
    query: `SELECT
  toString(machine_id) AS machine,
  gpu_name, num_gpus,
  max(day) AS last_day,
  round(toFloat64(argMax(avail_value, day)) / argMax(avail_gpus, day), 4) AS last_price
FROM machine_days FINAL
WHERE day >= today() - 15
GROUP BY machine_id, gpu_name, num_gpus
HAVING last_day < today() - 7 AND argMax(avail_gpus, day) > 0
ORDER BY last_day DESC
LIMIT 100`,
  },
  {
    title: 'GPU types that are nearly full',
    about: 'Slots of the last day in which more than 95 % of the GPUs of a type were rented.',
    query: `SELECT
  gpu_name,
  count() AS slots,
  max(total_gpus) AS gpus,
  round(max((rented_verified_gpus + rented_unverified_gpus) / total_gpus), 3) AS highest
FROM market
WHERE step = 1 AND bucket > now() - INTERVAL 1 DAY AND total_gpus >= 10
  AND 100 * (rented_verified_gpus + rented_unverified_gpus) > 95 * total_gpus
GROUP BY gpu_name
ORDER BY slots DESC`,
  },
  {
    title: 'Who changed prices',
    about: 'Machines whose asking price moved most within a day.',
    query: `SELECT
  toString(machine_id) AS machine,
  round(toFloat64(argMax(price, slot)) / toFloat64(argMin(price, slot)) - 1, 4) AS change,
  any(gpu_name) AS gpu,
  argMin(price, slot) AS price_before,
  argMax(price, slot) AS price_now
FROM observations
WHERE NOT rented AND slot > now() - INTERVAL 1 DAY
GROUP BY machine_id
HAVING change != 0
ORDER BY abs(change) DESC
LIMIT 50`,
  },
]
