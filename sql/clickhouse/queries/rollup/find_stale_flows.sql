-- One row when flows has rows that forget_stale_flows.sql would remove for good. Parameters: from, to, revision.
SELECT 1 AS stale
FROM flows FINAL
WHERE hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC') AND revision < {revision:UInt64}
LIMIT 1
