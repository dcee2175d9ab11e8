-- Rows of some steps in which the cube and the observations differ, in the buckets that [from, to) touches: `surplus` is 1 for what is stored,
-- -1 for what the observations give. Left out are buckets that begin before the first whole hour since `since`. At most `most` for each step and day.
-- Parameters: steps, from, to, since, most.
SELECT *, toUnixTimestamp(bucket) AS time
FROM (
  SELECT * EXCEPT (side), sum(side) AS surplus
  FROM (
    SELECT 1 AS side, * EXCEPT (revision) FROM cube FINAL
    WHERE has({steps:Array(UInt32)}, step)
      AND bucket >= toDateTime(arrayMin(step -> intDiv({from:UInt32}, step) * step, {steps:Array(UInt32)}), 'UTC')
      AND bucket >= toDateTime(intDiv({from:UInt32}, step) * step, 'UTC') AND bucket < toDateTime({to:UInt32}, 'UTC')
    UNION ALL
    SELECT -1, * FROM slot_rows(steps = {steps:Array(UInt32)}, from = {from:UInt32}, to = {to:UInt32})
  )
  WHERE toUnixTimestamp(bucket) >= intDiv({since:UInt32} + greatest(step, 3600) - 1, greatest(step, 3600)) * greatest(step, 3600)
  GROUP BY ALL
  HAVING surplus != 0
)
ORDER BY step, time, gpu_name, {{filter_columns}}
LIMIT {most:UInt32} BY step, intDiv(time, 86400)
