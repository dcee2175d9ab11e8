-- The market without filters, per GPU type and bucket of whole hours: the figures of the history and of revenue.
-- Counts are signed: readers subtract them. Parameters: own, step, from, to (on the step).
WITH
  sums.paid / nullIf(sums.rented_gpus, 0) AS mean,
  pow(10, 2 - floor(log10(mean))) AS digits
SELECT
  toDateTime64(points.bucket, 3, 'UTC') AS time,
  toString(points.gpu_name) AS gpu_name,
  toInt64(market.slots) AS slots,
  toInt64(total) AS total, toInt64(available) AS available, toInt64(rented_verified) AS rented_verified,
  toInt64(avail_verified) AS avail_verified, toInt64(rented_unverified) AS rented_unverified, toInt64(avail_unverified) AS avail_unverified,
  toInt64(total_gpus) AS total_gpus, toInt64(rented_verified_gpus) AS rented_verified_gpus, toInt64(avail_verified_gpus) AS avail_verified_gpus,
  toInt64(rented_unverified_gpus) AS rented_unverified_gpus, toInt64(avail_unverified_gpus) AS avail_unverified_gpus,
  tflops, dlperf,
  toFloat64(rented_p10) AS rented_p10, toFloat64(rented_median) AS rented_median, toFloat64(rented_p90) AS rented_p90,
  toFloat64(avail_p10) AS avail_p10, toFloat64(avail_median) AS avail_median, toFloat64(avail_p90) AS avail_p90,
  if(sums.all_gpus = 0, NULL, if({own:UInt8}, ifNull(adr, 0) * occupancy, sums.paid / sums.all_gpus)) AS revpag,
  if({own:UInt8} AND mean > 0, round(mean * digits) / digits, mean) AS adr,
  if(sums.all_gpus = 0, NULL, sums.rented_gpus / sums.all_gpus) AS occupancy
FROM (
  SELECT * FROM cube FINAL
  WHERE step = {step:UInt32} AND {{filter_whole_market}}
    AND bucket >= toDateTime({from:UInt32}, 'UTC') AND bucket < toDateTime({to:UInt32}, 'UTC')
) AS points
INNER JOIN (
  SELECT toDateTime(intDiv(toUnixTimestamp(slot), {step:UInt32}) * {step:UInt32}, 'UTC') AS bucket, uniqExact(slot) AS slots
  FROM slots
  WHERE ready AND slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
  GROUP BY bucket
) AS market ON market.bucket = points.bucket
LEFT JOIN (
  SELECT
    gpu_name, toDateTime(intDiv(toUnixTimestamp(hour), {step:UInt32}) * {step:UInt32}, 'UTC') AS bucket,
    sumIf(gpus, rented) AS rented_gpus, sum(gpus) AS all_gpus, toFloat64(sumIf(toDecimal128(price, 9) * gpus, rented)) AS paid
  FROM price_histogram FINAL
  WHERE hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC')
  GROUP BY gpu_name, bucket
) AS sums ON sums.bucket = points.bucket AND sums.gpu_name = points.gpu_name
ORDER BY time, gpu_name
