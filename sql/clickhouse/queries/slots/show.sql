-- Shows the slots of [from, to) to readers. Parameters: from, to, revision; unfinished
-- Array(UInt32), slots of snapshots that are not loaded to the end, or unknown: a part of one must not pass for all of it.
INSERT INTO slots (slot, source, observations, ready, revision)
SELECT slot, source, count(), true, {revision:UInt64}
FROM observations
WHERE slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
  AND NOT (source IN ('market', 'simulated') AND toUnixTimestamp(slot) IN {unfinished:Array(UInt32)})
GROUP BY slot, source
