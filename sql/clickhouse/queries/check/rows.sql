-- The keys of rows that differ between the cube and what the observations of [from, to) give: changed, missing or left over.
-- Buckets are pooled from the observations themselves, so the hourly histogram is checked as well.
-- Parameters: step, from, to (on the step).
SELECT DISTINCT
  step, verified, hosting_type, num_gpus, gpu_name, toUnixTimestamp(bucket) AS bucket
FROM (
  SELECT 1 AS side, * EXCEPT (revision) FROM cube FINAL
  WHERE step = {step:UInt32} AND bucket >= toDateTime({from:UInt32}, 'UTC') AND bucket < toDateTime({to:UInt32}, 'UTC')
  UNION ALL
  SELECT -1, * FROM slot_rows(from = {from:UInt32}, to = if({step:UInt32} = 1, {to:UInt32}, {from:UInt32}))
  UNION ALL
  SELECT -1, * FROM bucket_rows(
    step = {step:UInt32}, from = {from:UInt32}, to = if({step:UInt32} = 1, {from:UInt32}, {to:UInt32}), hourly = false
  )
)
GROUP BY
  step, verified, hosting_type, num_gpus, gpu_name, bucket,
  rented_verified, avail_verified, rented_unverified, avail_unverified,
  rented_verified_gpus, avail_verified_gpus, rented_unverified_gpus, avail_unverified_gpus,
  tflops, dlperf, rented_p10, rented_median, rented_p90, avail_p10, avail_median, avail_p90
HAVING sum(side) != 0
ORDER BY ALL
