-- Rows in which terms and the observations of the slots in [from, to) differ, as in cube.sql. Parameters: from, to, since, most.
SELECT *, toUnixTimestamp(slot) AS time
FROM (
  SELECT * EXCEPT (side), sum(side) AS surplus
  FROM (
    SELECT 1 AS side, * EXCEPT (revision) FROM terms FINAL
    WHERE slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
    UNION ALL
    SELECT -1, * FROM term_rows(from = {from:UInt32}, to = {to:UInt32}, since = {since:UInt32})
    WHERE slot < toDateTime({to:UInt32}, 'UTC')
  )
  GROUP BY ALL
  HAVING surplus != 0
)
ORDER BY time, gpu_name, machine_id
LIMIT {most:UInt32} BY intDiv(time, 86400)
