-- Keys of rows that differ between the cube and the observations of [from, to): changed, missing or left over.
-- Buckets are pooled from the observations themselves, so the hourly histogram is checked as well.
-- Parameters: step, from, to (on the step).
SELECT DISTINCT
  step, verified, hosting_type, num_gpus, gpu_name, toUnixTimestamp(bucket) AS bucket
FROM (
  SELECT * EXCEPT (side), sum(side) AS surplus
  FROM (
    SELECT 1 AS side, * EXCEPT (revision) FROM cube FINAL
    WHERE step = {step:UInt32} AND bucket >= toDateTime({from:UInt32}, 'UTC') AND bucket < toDateTime({to:UInt32}, 'UTC')
    UNION ALL
    SELECT -1, * FROM slot_rows(from = {from:UInt32}, to = if({step:UInt32} = 1, {to:UInt32}, {from:UInt32}))
    UNION ALL
    SELECT -1, * FROM bucket_rows(
      steps = [{step:UInt32}], from = {from:UInt32}, to = if({step:UInt32} = 1, {from:UInt32}, {to:UInt32}), hourly = false
    )
  )
  GROUP BY ALL
  HAVING surplus != 0
)
ORDER BY ALL
