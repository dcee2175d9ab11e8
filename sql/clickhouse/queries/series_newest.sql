-- How far ClickHouse has come with the series, and whether it shows a slot. Parameters: slot.
SELECT max(revision) AS revision, countIf(slot = toDateTime({slot:UInt32}, 'UTC') AND ready) > 0 AS shown FROM slots
