-- How many simulated observations of [from, to) are there. Parameters: from, to UInt32 (unix seconds).
SELECT count() AS observations
FROM observations
WHERE slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC') AND source = 'simulated'
