-- Rows in which machine_days and the observations of a day differ, as in cube.sql. Parameters: day (its start), most.
SELECT *, {day:UInt32} AS time
FROM (
  SELECT * EXCEPT (side), sum(side) AS surplus
  FROM (
    SELECT 1 AS side, * EXCEPT (revision) FROM machine_days FINAL WHERE day = toDate(toDateTime({day:UInt32}, 'UTC'))
    UNION ALL
    SELECT -1, * FROM machine_day_rows(day = {day:UInt32})
  )
  GROUP BY ALL
  HAVING surplus != 0
)
ORDER BY time, gpu_name, machine_id, num_gpus
LIMIT {most:UInt32} BY intDiv(time, 86400)
