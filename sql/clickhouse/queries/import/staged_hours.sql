-- What was staged, hour by hour. Parameters: table.
SELECT toUnixTimestamp(toStartOfHour(slot)) AS hour, count() AS observations
FROM {table:Identifier}
GROUP BY hour
ORDER BY hour
