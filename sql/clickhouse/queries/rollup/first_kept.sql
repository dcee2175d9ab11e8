-- Just past the first slot whose observations are kept, where earlier ones are gone: what its machines were before is not known. 0: none is gone.
-- Parameters: since.
SELECT if(min(l.slot) < toDateTime({since:UInt32}, 'UTC'), toUnixTimestamp(minIf(l.slot, l.slot >= toDateTime({since:UInt32}, 'UTC'))) + 1, 0) AS start
FROM slots AS l
