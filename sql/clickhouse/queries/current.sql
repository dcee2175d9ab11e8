-- name: latest
-- The market of one slot, one row per GPU name with at least `fewest` GPUs, most GPUs first. Percentages are null where they have no meaning, and
-- prices of rented GPUs where they are not shown. Parameters: the filters, own, slot, fewest.
SELECT
  gpu_name, total, available, rented_verified, avail_verified, rented_unverified, avail_unverified,
  total_gpus, avail_verified_gpus + avail_unverified_gpus AS available_gpus,
  rented_verified_gpus, avail_verified_gpus, rented_unverified_gpus, avail_unverified_gpus,
  100 * (rented_verified_gpus + rented_unverified_gpus) / total_gpus AS usage,
  dlperf, tflops,
  avail_p10 AS price_p10, avail_median AS price_median, avail_p90 AS price_p90,
  if({{rented_shown}}, cube.rented_p10, NULL) AS rented_p10, if({{rented_shown}}, cube.rented_median, NULL) AS rented_median,
  if({{rented_shown}}, cube.rented_p90, NULL) AS rented_p90,
  CAST(if(avail_thin = 'unknown', NULL, avail_thin = 'yes'), 'Nullable(Bool)') AS price_thin,
  CAST(if(cube.rented_thin = 'unknown', NULL, cube.rented_thin = 'yes'), 'Nullable(Bool)') AS rented_thin,
  tflops / toFloat64(avail_median) AS tflops_per_dollar,
  dlperf / toFloat64(avail_median) AS dlperf_per_dollar
FROM cube FINAL
WHERE step = 1
  AND {{filter_cube}}
  AND bucket = toDateTime({slot:UInt32}, 'UTC')
  AND total_gpus >= {fewest:UInt32}
ORDER BY total_gpus DESC, gpu_name

-- name: past
-- Per GPU name: the occupancy over all slots of the 30 days that end with a slot, in percent, and the available median a week before it,
-- at the newest slot that is at most an hour older than that. Parameters: the filters, slot.
WITH (
  SELECT max(s.slot) FROM slots AS s
  WHERE s.ready AND s.slot <= toDateTime({slot:UInt32} - 604800, 'UTC') AND s.slot > toDateTime({slot:UInt32} - 608400, 'UTC')
) AS week_before
SELECT
  gpu_name,
  100 * sum(rented_verified_gpus + rented_unverified_gpus) / sum(total_gpus) AS usage_30d,
  toFloat64(anyIf(avail_median, bucket = week_before)) AS median_before
FROM cube FINAL
WHERE step = 1
  AND {{filter_cube}}
  AND bucket > toDateTime({slot:UInt32} - 2592000, 'UTC') AND bucket <= toDateTime({slot:UInt32}, 'UTC')
GROUP BY gpu_name

-- name: quartiles
-- The quartiles of the available prices of one slot per GPU name, weighted by GPUs, nearest rank.
-- Parameters: the filters, slot.
SELECT gpu_name, prices[1] AS price_p25, prices[2] AS price_p75
FROM (
  SELECT gpu_name, quantilesExactWeighted(0.25, 0.75)(price, gpus) AS prices
  FROM observations
  WHERE slot = toDateTime({slot:UInt32}, 'UTC') AND NOT rented
    AND {{filter_machines}}
  GROUP BY gpu_name
)
