-- Shows the slots of [from, to) to readers. Parameters: from, to, revision.
INSERT INTO slots (slot, source, observations, ready, revision)
SELECT slot, source, count(), true, {revision:UInt64}
FROM observations
WHERE slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
GROUP BY slot, source
