-- Rows in which the price steps and the price histogram of [from, to) differ, as in cube.sql. The histogram is compared with the observations itself.
-- Parameters: step, from, to (on the step), most; binned: from when on bins are there.
SELECT *, toUnixTimestamp(bucket) AS time
FROM (
  SELECT * EXCEPT (side), sum(side) AS surplus
  FROM (
    SELECT 1 AS side, step, gpu_name, bucket, {{filter_columns}}, rented, price, gpus, if(toUnixTimestamp(bucket) < {binned:UInt32}, 0, bin) AS bin
    FROM price_steps FINAL
    WHERE step = {step:UInt32} AND bucket >= toDateTime({from:UInt32}, 'UTC') AND bucket < toDateTime({to:UInt32}, 'UTC')
    UNION ALL
    SELECT -1, step, gpu_name, bucket, {{filter_columns}}, rented, price, gpus, if(toUnixTimestamp(bucket) < {binned:UInt32}, 0, bin)
    FROM step_rows(step = {step:UInt32}, from = {from:UInt32}, to = {to:UInt32})
  )
  GROUP BY ALL
  HAVING surplus != 0
)
ORDER BY time, gpu_name, {{filter_columns}}, rented, price
LIMIT {most:UInt32} BY intDiv(time, 86400)
