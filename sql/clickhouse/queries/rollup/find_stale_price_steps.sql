-- One row when there are price steps that forget_stale_price_steps.sql would remove for good. Parameters: step, from, to, revision.
SELECT 1 AS stale
FROM price_steps FINAL
WHERE step = {step:UInt32} AND bucket >= toDateTime({from:UInt32}, 'UTC') AND bucket < toDateTime({to:UInt32}, 'UTC') AND revision < {revision:UInt64}
LIMIT 1
