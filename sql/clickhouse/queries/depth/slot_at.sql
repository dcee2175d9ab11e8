-- The newest slot at or before a time, in unix seconds; 0 when there is none. Parameters: at.
SELECT toUnixTimestamp(max(s.slot)) AS slot FROM slots AS s WHERE s.ready AND s.slot <= toDateTime({at:UInt32}, 'UTC')
