-- How many new rows an import has, hour by hour. Parameters: those of new_rows.sql.
SELECT toUnixTimestamp(toStartOfHour(slot)) AS hour, count() AS observations
FROM (
  $new_rows
)
GROUP BY hour
ORDER BY hour
