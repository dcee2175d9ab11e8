-- The newest slot at or before a time, in unix seconds; 0 when there is none. Parameters: at.
SELECT toUnixTimestamp(max(slot)) AS slot FROM slots WHERE ready AND slot <= toDateTime({at:UInt32}, 'UTC')
