-- Points of some GPUs as the cube holds them; 'all' and 0 mean "not filtered".
-- Parameters: names Array(String), verified, hosting_type, num_gpus, stored_step, from, to.
SELECT
  * EXCEPT ('^(step|verified|hosting_type|num_gpus|bucket|tflops|dlperf|revision)$|^pooled_'),
  toUnixTimestamp(bucket) AS start
FROM cube FINAL
WHERE {{cube}}
  AND gpu_name IN {names:Array(String)}
  AND step = {stored_step:UInt32}
  AND bucket >= toDateTime({from:UInt32}, 'UTC') AND bucket < toDateTime({to:UInt32}, 'UTC')
