-- Snapshots since `from` that have observations and aren't shown: loads that were cut short. Parameters: from.
SELECT DISTINCT toUnixTimestamp(slot) AS slot
FROM observations
WHERE slot >= toDateTime({from:UInt32}, 'UTC') AND source IN ('market', 'simulated')
  AND slot /*!GLOBAL*/ NOT IN (SELECT slot FROM slots FINAL WHERE ready AND source IN ('market', 'simulated'))
ORDER BY slot
