-- Rows in which the price histogram and the observations of [from, to) differ, as in cube.sql. Parameters: from, to (on the hour), most.
SELECT *, toUnixTimestamp(hour) AS time
FROM (
  SELECT * EXCEPT (side), sum(side) AS surplus
  FROM (
    SELECT 1 AS side, * EXCEPT (revision) FROM price_histogram FINAL
    WHERE hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC')
    UNION ALL
    SELECT -1, toStartOfHour(slot), gpu_name, num_gpus, verified, hosting_type, rented, price, sum(gpus)
    FROM observations
    WHERE slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
    GROUP BY ALL
  )
  GROUP BY ALL
  HAVING surplus != 0
)
ORDER BY time, gpu_name, num_gpus, verified, hosting_type, rented, price
LIMIT {most:UInt32} BY intDiv(time, 86400)
