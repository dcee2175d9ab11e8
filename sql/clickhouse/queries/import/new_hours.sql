-- How many new rows an import has, hour by hour. Parameters: those of new_rows.sql.
SELECT toUnixTimestamp(toStartOfHour(slot)) AS hour, count() AS observations, uniqExact(slot) AS slots
FROM (
  $new_rows
)
GROUP BY hour
ORDER BY hour
