-- How much there is to roll up, hour by hour. Parameters: from, to.
SELECT toUnixTimestamp(toStartOfHour(slot)) AS hour, sum(observations) AS observations
FROM slots FINAL
WHERE slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
GROUP BY hour
ORDER BY hour
