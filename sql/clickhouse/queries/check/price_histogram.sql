-- Rows in which the price histogram and the observations of [from, to) differ, as in cube.sql. Parameters: from, to (on the hour), most; binned: from
-- when on bins are there.
SELECT *, toUnixTimestamp(hour) AS time
FROM (
  SELECT * EXCEPT (side), sum(side) AS surplus
  FROM (
    SELECT 1 AS side, hour, gpu_name, {{filter_columns}}, rented, price, gpus, if(toUnixTimestamp(hour) < {binned:UInt32}, 0, bin) AS bin
    FROM price_histogram FINAL
    WHERE hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC')
    UNION ALL
    SELECT -1, hour, gpu_name, {{filter_columns}}, rented, price, gpus, if(toUnixTimestamp(hour) < {binned:UInt32}, 0, bin)
    FROM histogram_rows(from = {from:UInt32}, to = {to:UInt32})
  )
  GROUP BY ALL
  HAVING surplus != 0
)
ORDER BY time, gpu_name, {{filter_columns}}, rented, price
LIMIT {most:UInt32} BY intDiv(time, 86400)
