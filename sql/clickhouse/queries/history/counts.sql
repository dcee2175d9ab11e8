-- What stands beside the percentiles of prices.sql: the counts of each bucket's newest row in the cube, whose own buckets are `counted_step`.
-- Parameters: names Array(String), the filters, counted_step, step, from, to, last.
SELECT
  * EXCEPT ('^(step|bucket|only_memory|tflops|dlperf|last_ask_diff|revision)$|^pooled_|_(p[0-9]+|median|thin)$') EXCEPT ({{filter_columns}}),
  intDiv(toUnixTimestamp(bucket), {step:UInt32}) * {step:UInt32} AS start,
  toUnixTimestamp(bucket) AS counted,
  {{last_performance}} AS performance
FROM cube FINAL
WHERE {{filter_cube}}
  AND gpu_name IN {names:Array(String)}
  AND step = {counted_step:UInt32}
  AND bucket >= toDateTime({from:UInt32}, 'UTC') AND bucket < toDateTime({to:UInt32}, 'UTC')
ORDER BY bucket DESC
LIMIT 1 BY gpu_name, start
