-- name: announce
-- Enters the slots of observations in [from, to), not ready yet, so that the roll-up includes them. Existing entries stay
-- unchanged. Parameters: from, to, revision; unfinished Array(UInt32), slots of snapshots that are unknown or not completely
-- loaded: a part of a snapshot must not count as complete.
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

-- name: enter_again
-- Enters the newest slot again, unchanged, with a new revision. Parameters: revision.
INSERT INTO slots (slot, source, observations, ready, revision)
SELECT slot, source, observations, ready, {revision:UInt64}
FROM slots FINAL
ORDER BY slot DESC, source
LIMIT 1

-- name: forget
-- Removes the entry of a snapshot, unless it has a newer revision. Parameters: slot, source, revision.
DELETE FROM /*!$database.*/slots/*!_local ON CLUSTER $cluster*/
WHERE slot = toDateTime({slot:UInt32}, 'UTC') AND source = {source:String} AND revision < {revision:UInt64}

-- name: seen
-- The slots of [from, to) with observations that may belong to a snapshot. Parameters: from, to.
SELECT toUnixTimestamp(slot) AS slot, source
FROM observations
WHERE source IN ('market', 'simulated')
  AND slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
GROUP BY slot, source

-- name: show
-- Shows the slots of [from, to) to readers. Parameters: from, to, revision; unfinished Array(UInt32), slots of snapshots that are
-- unknown or not completely loaded: a part of a snapshot must not count as complete.
INSERT INTO slots (slot, source, observations, ready, revision)
SELECT slot, source, count(), true, {revision:UInt64}
FROM observations
WHERE slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
  AND NOT (source IN ('market', 'simulated') AND toUnixTimestamp(slot) IN {unfinished:Array(UInt32)})
GROUP BY slot, source

-- name: shown
-- The snapshots of [from, to) that readers see. Parameters: from, to.
SELECT DISTINCT toUnixTimestamp(slot) AS slot
FROM slots FINAL
WHERE ready AND source IN ('market', 'simulated') AND slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
