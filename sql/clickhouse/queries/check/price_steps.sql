-- Rows in which the price steps and the observations of [from, to) differ, as in cube.sql. Parameters: step, from, to (on the step), most.
SELECT *, toUnixTimestamp(bucket) AS time
FROM (
  SELECT * EXCEPT (side), sum(side) AS surplus
  FROM (
    SELECT 1 AS side, * EXCEPT (revision) FROM price_steps FINAL
    WHERE step = {step:UInt32} AND bucket >= toDateTime({from:UInt32}, 'UTC') AND bucket < toDateTime({to:UInt32}, 'UTC')
    UNION ALL
    SELECT
      -1, {step:UInt32}, gpu_name, toDateTime(intDiv(toUnixTimestamp(slot), {step:UInt32}) * {step:UInt32}, 'UTC') AS start,
      num_gpus, verified, hosting_type, rented, price, sum(gpus)
    FROM observations
    WHERE slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
    GROUP BY ALL
  )
  GROUP BY ALL
  HAVING surplus != 0
)
ORDER BY time, gpu_name, num_gpus, verified, hosting_type, rented, price
LIMIT {most:UInt32} BY intDiv(time, 86400)
