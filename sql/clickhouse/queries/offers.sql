-- name: cheapest
-- The lowest prices of the free GPUs of one slot, with the GPUs at each. Parameters: slot, most, the prices of a GPU name.
SELECT gpu_name, price, sum(observations.gpus) AS gpus
FROM observations
WHERE slot = toDateTime({slot:UInt32}, 'UTC') AND NOT rented
GROUP BY gpu_name, price
ORDER BY gpu_name, price
LIMIT {most:UInt32} BY gpu_name

-- name: course
-- The median of the free GPUs of each GPU name in the whole steps of six hours of the seven days before a slot; buckets in unix seconds. Parameters: slot.
SELECT gpu_name, toUnixTimestamp(bucket) AS at, toFloat64(avail_median) AS price
FROM cube FINAL
WHERE step = 21600 AND {{filter_whole_market}}
  AND bucket >= toDateTime({slot:UInt32} - 604800, 'UTC') AND bucket <= toDateTime({slot:UInt32} - 21600, 'UTC')
  AND avail_median IS NOT NULL
ORDER BY gpu_name, bucket

-- name: now
-- The free GPUs of one slot, most free GPUs first, with the medians of a day and of seven days before: each at the newest slot that is at most an hour older
-- than that. Parameters: slot.
WITH
  (
    SELECT max(s.slot) FROM slots AS s
    WHERE s.ready AND s.slot <= toDateTime({slot:UInt32} - 86400, 'UTC') AND s.slot > toDateTime({slot:UInt32} - 90000, 'UTC')
  ) AS day_before,
  (
    SELECT max(s.slot) FROM slots AS s
    WHERE s.ready AND s.slot <= toDateTime({slot:UInt32} - 604800, 'UTC') AND s.slot > toDateTime({slot:UInt32} - 608400, 'UTC')
  ) AS week_before
SELECT
  gpu_name,
  sumIf(avail_verified_gpus + avail_unverified_gpus, is_now) AS free_gpus,
  toFloat64(anyIf(avail_median, is_now)) AS price_median,
  anyIf(CAST(if(avail_thin = 'unknown', NULL, avail_thin = 'yes'), 'Nullable(Bool)'), is_now) AS price_thin,
  toFloat64(anyIf(avail_median, bucket = day_before)) AS median_day,
  toFloat64(anyIf(avail_median, bucket = week_before)) AS median_week
FROM (
  SELECT *, bucket = toDateTime({slot:UInt32}, 'UTC') AS is_now
  FROM cube FINAL
  WHERE step = 1 AND {{filter_whole_market}} AND bucket IN (toDateTime({slot:UInt32}, 'UTC'), day_before, week_before)
) AS cube
GROUP BY gpu_name
HAVING sumIf(cube.total_gpus, is_now) > 0
ORDER BY free_gpus DESC, gpu_name
