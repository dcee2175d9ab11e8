-- The slots of [from, to) that readers see. Parameters: from, to.
SELECT DISTINCT toUnixTimestamp(slot) AS slot
FROM slots FINAL
WHERE ready AND slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
