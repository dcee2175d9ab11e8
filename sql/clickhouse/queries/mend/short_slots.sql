-- Slots of [from, to) that readers see and that have fewer observations than were entered. Parameters: from, to.
SELECT toUnixTimestamp(slot) AS slot, source
FROM (
  SELECT slot, source, observations AS entered, 0 AS found
  FROM slots FINAL
  WHERE ready AND slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
  UNION ALL
  SELECT slot, source, 0, count()
  FROM observations
  WHERE slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
  GROUP BY slot, source
)
GROUP BY slot, source
HAVING sum(found) < sum(entered)
ORDER BY slot, source
