-- Enters the slots that observations of [from, to) belong to, not ready yet, so that the roll-up knows them.
-- Slots that are there already stay as they are. Parameters: from, to, revision; unfinished
-- Array(UInt32), slots of snapshots that are not loaded to the end, or unknown: a part of one must not pass for all of it.
INSERT INTO slots (slot, source, observations, ready, revision)
SELECT slot, source, count(), false, {revision:UInt64}
FROM observations
WHERE slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
  AND NOT (source IN ('market', 'simulated') AND toUnixTimestamp(slot) IN {unfinished:Array(UInt32)})
  AND (slot, source) /*!GLOBAL*/ NOT IN (
    SELECT slot, source FROM slots
    WHERE slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
  )
GROUP BY slot, source
