-- name: by_parts
-- Makes ClickHouse drop whole parts (months) of observations only, when the last day of the month is old enough. Dropping single days would rewrite
-- the month every few hours.
ALTER TABLE /*!$database.*/observations/*!_local ON CLUSTER $cluster*/ MODIFY SETTING ttl_only_drop_parts = 1

-- name: found
-- The time just past the newest dropped slot before existing ones; 0 when there is none.
SELECT if(count() = 0, 0, toUnixTimestamp(max(slot)) + 1) AS gone_before
FROM slots FINAL
WHERE ready AND observations > 0 AND slot < (SELECT min(slot) FROM observations)

-- name: now
-- Retention of observations in days; 0: forever.
SELECT max(toUInt32OrZero(extract(create_table_query, 'TTL slot \\+ toIntervalDay\\([^0-9]*(\\d+)'))) AS days
FROM system.tables
WHERE database = currentDatabase() AND name IN ('observations', 'observations_local')

-- name: remove
-- Keeps observations forever.
ALTER TABLE /*!$database.*/observations/*!_local ON CLUSTER $cluster*/ REMOVE TTL

-- name: set
-- Keeps observations for some days. Parameters: days UInt32.
ALTER TABLE /*!$database.*/observations/*!_local ON CLUSTER $cluster*/ MODIFY TTL slot + toIntervalDay({days:UInt32})
