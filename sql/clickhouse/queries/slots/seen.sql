-- The slots of [from, to) that have observations which may be of a snapshot. Parameters: from, to.
SELECT toUnixTimestamp(slot) AS slot, source
FROM observations
WHERE source IN ('market', 'simulated')
  AND slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
GROUP BY slot, source
