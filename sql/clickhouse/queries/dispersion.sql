-- name: medians
-- The hourly medians of the available prices. Parameters: names Array(String), the filters, from, to (whole hours).
SELECT gpu_name, toUnixTimestamp(bucket) AS hour, toFloat64(avail_median) AS median
FROM cube FINAL
WHERE step = 3600
  AND {{filter_cube}}
  AND gpu_name IN {names:Array(String)}
  AND bucket >= toDateTime({from:UInt32}, 'UTC') AND bucket < toDateTime({to:UInt32}, 'UTC')
  AND avail_median IS NOT NULL
