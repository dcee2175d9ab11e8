-- One row when the histogram has rows that forget_stale_histogram.sql would remove for good. Parameters: from, to, revision.
SELECT 1 AS stale
FROM price_histogram FINAL
WHERE hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC') AND revision < {revision:UInt64}
LIMIT 1
