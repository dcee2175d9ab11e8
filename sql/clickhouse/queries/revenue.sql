-- name: buckets
-- Per GPU name and bucket of whole hours: rented GPUs, all GPUs, and the money for rented GPUs, each summed over the slots of the bucket.
-- Parameters: names Array(String), the filters, stored_step (of the cube, divides step), step, from, to (on the step).
SELECT
  gpu_name,
  intDiv(toUnixTimestamp(bucket), {step:UInt32}) * {step:UInt32} AS start,
  sum(pooled_rented_gpus) AS rented_gpus,
  sum(pooled_gpus) AS all_gpus,
  toFloat64(sum(pooled_value)) AS paid
FROM cube FINAL
WHERE {{filter_cube}}
  AND gpu_name IN {names:Array(String)}
  AND step = {stored_step:UInt32}
  AND bucket >= toDateTime({from:UInt32}, 'UTC') AND bucket < toDateTime({to:UInt32}, 'UTC')
GROUP BY gpu_name, start
