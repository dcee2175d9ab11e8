-- One row when the cube has rows that forget_stale.sql would remove for good. Parameters: step, from, to, revision.
SELECT 1 AS stale
FROM cube FINAL
WHERE step = {step:UInt32} AND bucket >= toDateTime({from:UInt32}, 'UTC') AND bucket < toDateTime({to:UInt32}, 'UTC') AND revision < {revision:UInt64}
LIMIT 1
