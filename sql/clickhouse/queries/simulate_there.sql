-- One row when simulated observations of [from, to) are there. They come in blocks: all of a range or none.
-- Parameters: from, to UInt32 (unix seconds).
SELECT 1 AS there
FROM observations
WHERE slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC') AND source = 'simulated'
LIMIT 1
