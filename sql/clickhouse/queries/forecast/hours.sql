-- The figures that are forecast, by hour. Parameters: names Array(String), the filters, from, to (whole hours).
SELECT
  gpu_name, toUnixTimestamp(bucket) AS hour, toFloat64(rented_median) AS rented_median, toFloat64(avail_median) AS avail_median,
  if(pooled_gpus = 0, NULL, pooled_rented_gpus / pooled_gpus) AS occupancy
FROM cube FINAL
WHERE step = 3600
  AND {{filter_cube}}
  AND gpu_name IN {names:Array(String)}
  AND bucket >= toDateTime({from:UInt32}, 'UTC') AND bucket < toDateTime({to:UInt32}, 'UTC')
