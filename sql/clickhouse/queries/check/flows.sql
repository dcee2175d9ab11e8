-- Rows in which flows and the observations of the hours in [from, to) differ, as in cube.sql. Parameters: from, to, longest, most.
SELECT *, toUnixTimestamp(hour) AS time
FROM (
  SELECT * EXCEPT (side), sum(side) AS surplus
  FROM (
    SELECT 1 AS side, * EXCEPT (revision) FROM flows FINAL
    WHERE hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC')
    UNION ALL
    SELECT -1, * FROM flow_rows(from = {from:UInt32}, to = {to:UInt32}, longest = {longest:UInt32})
  )
  GROUP BY ALL
  HAVING surplus != 0
)
ORDER BY time, gpu_name, {{filter_columns}}, position
LIMIT {most:UInt32} BY intDiv(time, 86400)
