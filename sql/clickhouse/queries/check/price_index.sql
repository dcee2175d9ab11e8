-- Rows in which the newest editions of a day of the price index and machine_days differ, as in cube.sql. Parameters: day (its start), most.
SELECT *, {day:UInt32} AS time
FROM (
  SELECT * EXCEPT (side), sum(side) AS surplus
  FROM (
    SELECT 1 AS side, day, gpu_name, machines, matched_share, ln_link, machines_28, matched_share_28, ln_link_28, hash
    FROM price_index FINAL
    WHERE day = toDate(toDateTime({day:UInt32}, 'UTC'))
    ORDER BY edition DESC
    LIMIT 1 BY gpu_name
    UNION ALL
    SELECT -1, * FROM price_index_rows(day = {day:UInt32})
  )
  GROUP BY ALL
  HAVING surplus != 0
)
ORDER BY time, gpu_name
LIMIT {most:UInt32} BY intDiv(time, 86400)
