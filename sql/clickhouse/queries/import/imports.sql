-- The imported rows that the series has, by the import that they came with. Parameters: import Array(UInt64), empty: all; source: '' for any.
SELECT source, import_id, count() AS observations, toUnixTimestamp(min(slot)) AS from_slot, toUnixTimestamp(max(slot)) AS to_slot
FROM observations
WHERE source NOT IN ('market', 'simulated') AND (empty({imports:Array(UInt64)}) OR has({imports:Array(UInt64)}, import_id))
  AND ({source:String} = '' OR source = {source:String})
GROUP BY source, import_id
ORDER BY from_slot, source, import_id
