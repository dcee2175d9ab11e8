-- The same as buckets.sql, from the price histogram: for a past whose sums an upgrade has yet to compute.
-- Parameters: names Array(String), the filters, step, from, to (on the step).
SELECT
  gpu_name,
  intDiv(toUnixTimestamp(hour), {step:UInt32}) * {step:UInt32} AS start,
  sumIf(gpus, rented) AS rented_gpus,
  sum(gpus) AS all_gpus,
  toFloat64(sumIf(toDecimal128(price, 9) * gpus, rented)) AS paid
FROM price_histogram FINAL
WHERE hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC')
  AND gpu_name IN {names:Array(String)}
  AND {{filter_machines}}
GROUP BY gpu_name, start
