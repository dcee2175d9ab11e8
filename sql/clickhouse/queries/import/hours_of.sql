-- The rows of an import in the series, hour by hour. Parameters: source, import.
SELECT toUnixTimestamp(toStartOfHour(slot)) AS hour, count() AS observations
FROM observations
WHERE source = {source:String} AND import_id = {import:UInt64}
GROUP BY hour
ORDER BY hour
