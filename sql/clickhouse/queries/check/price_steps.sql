-- Rows in which the price steps and the observations of [from, to) differ, as in cube.sql. Bins are compared with those of the price histogram.
-- Parameters: step, from, to (on the step), most; binned: from when on bins are there.
SELECT *, toUnixTimestamp(bucket) AS time
FROM (
  SELECT * EXCEPT (side), sum(side) AS surplus
  FROM (
    SELECT 1 AS side, step, gpu_name, bucket, {{filter_columns}}, rented, price, gpus, if(toUnixTimestamp(bucket) < {binned:UInt32}, 0, bin) AS bin
    FROM price_steps FINAL
    WHERE step = {step:UInt32} AND bucket >= toDateTime({from:UInt32}, 'UTC') AND bucket < toDateTime({to:UInt32}, 'UTC')
    UNION ALL
    SELECT -1, {step:UInt32}, gpu_name, bucket, {{filter_columns}}, rented, price, gpus, if(toUnixTimestamp(bucket) < {binned:UInt32}, 0, bin)
    FROM (
      SELECT
        gpu_name, toDateTime(intDiv(toUnixTimestamp(slot), {step:UInt32}) * {step:UInt32}, 'UTC') AS bucket,
        {{filter_columns}}, rented, price, sum(gpus) AS gpus
      FROM observations
      WHERE slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
      GROUP BY ALL
    ) AS sums
    LEFT JOIN (
      SELECT toDateTime(bucket, 'UTC') AS bucket, gpu_name, verified, true AS rented, price, bin
      FROM step_bins(step = {step:UInt32}, from = {from:UInt32}, to = {to:UInt32})
    ) AS bins USING (bucket, gpu_name, verified, rented, price)
  )
  GROUP BY ALL
  HAVING surplus != 0
)
ORDER BY time, gpu_name, {{filter_columns}}, rented, price
LIMIT {most:UInt32} BY intDiv(time, 86400)
