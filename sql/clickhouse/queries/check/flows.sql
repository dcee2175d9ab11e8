-- Keys of rows that differ between flows and the observations of the hours in [from, to): changed, missing or left over.
-- Parameters: from, to, longest.
SELECT DISTINCT
  toUnixTimestamp(hour) AS hour, gpu_name, num_gpus, verified, hosting_type, position
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
ORDER BY ALL
