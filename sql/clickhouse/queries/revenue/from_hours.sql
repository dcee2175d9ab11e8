-- The same as buckets.sql, from the price histogram: for a past whose sums an upgrade has yet to compute.
-- Parameters: names Array(String), the filters, step, from, to (on the step).
SELECT
  gpu_name,
  intDiv(toUnixTimestamp(bucket), {step:UInt32}) * {step:UInt32} AS start,
  sumIf(gpus, rented) AS rented_gpus,
  sum(gpus) AS all_gpus,
  toFloat64(sumIf(toDecimal128(price, 9) * gpus, rented)) AS paid
FROM asked_prices(
  names = {names:Array(String)}, {{filter_arguments}},
  own = 0, stored_step = 3600, from = {from:UInt32}, to = {to:UInt32}
)
GROUP BY gpu_name, start
