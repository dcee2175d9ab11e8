-- The last slot of [from, to), 0 when there is none. Parameters: from, to.
SELECT toUnixTimestamp(max(s.slot)) AS slot
FROM slots AS s
WHERE s.slot >= toDateTime({from:UInt32}, 'UTC') AND s.slot < toDateTime({to:UInt32}, 'UTC')
