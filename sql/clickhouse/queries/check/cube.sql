-- Rows in which the cube and the observations of [from, to) differ: `surplus` is 1 for what is stored, -1 for what the observations give.
-- At most `most` for each day. Parameters: step, from, to (on the step), most.
SELECT *, toUnixTimestamp(bucket) AS time
FROM (
  SELECT * EXCEPT (side), sum(side) AS surplus
  FROM (
    SELECT 1 AS side, * EXCEPT (revision) FROM cube FINAL
    WHERE step = {step:UInt32} AND bucket >= toDateTime({from:UInt32}, 'UTC') AND bucket < toDateTime({to:UInt32}, 'UTC')
    UNION ALL
    SELECT -1, * FROM slot_rows(steps = [{step:UInt32}], from = {from:UInt32}, to = {to:UInt32})
  )
  GROUP BY ALL
  HAVING surplus != 0
)
ORDER BY time, gpu_name, verified, hosting_type, num_gpus
LIMIT {most:UInt32} BY intDiv(time, 86400)
