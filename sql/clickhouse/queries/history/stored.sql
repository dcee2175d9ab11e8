-- Points of some GPUs as the cube holds them; 'all' and 0 mean "not filtered".
-- Parameters: names Array(String), the filters, stored_step, from, to, last.
SELECT
  * EXCEPT ('^(step|bucket|only_memory|tflops|dlperf|last_ask_diff|revision)$|^pooled_|_thin$') EXCEPT ({{filter_columns}}),
  toUnixTimestamp(bucket) AS start,
  {{last_performance}} AS performance
FROM cube FINAL
WHERE {{filter_cube}}
  AND gpu_name IN {names:Array(String)}
  AND step = {stored_step:UInt32}
  AND bucket >= toDateTime({from:UInt32}, 'UTC') AND bucket < toDateTime({to:UInt32}, 'UTC')
