-- The snapshots of [from, to) that readers see. Parameters: from, to.
SELECT DISTINCT toUnixTimestamp(slot) AS slot
FROM slots FINAL
WHERE ready AND source IN ('market', 'simulated') AND slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
