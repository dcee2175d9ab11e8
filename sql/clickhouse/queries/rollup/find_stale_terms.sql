-- One row when terms has rows that forget_stale_terms.sql would remove for good. Parameters: from, to, revision.
SELECT 1 AS stale
FROM terms FINAL
WHERE slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC') AND revision < {revision:UInt64}
LIMIT 1
