-- What was staged, hour by hour. Parameters: table.
SELECT toUnixTimestamp(toStartOfHour(slot)) AS hour, count() AS observations, uniqExact(slot) AS slots
FROM {table:Identifier}
GROUP BY hour
ORDER BY hour
