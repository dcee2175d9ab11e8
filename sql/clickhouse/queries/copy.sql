-- name: hash
-- The number of rows of a table of a database, and a hash of all of them. Parameters: database, table.
SELECT count() AS rows, toString(sum(cityHash64(*))) AS hash FROM {database:Identifier}.{table:Identifier}

-- name: hash_of_newest
-- As `hash`, for a table of which the newest revision of a row counts. Parameters: database, table.
SELECT count() AS rows, toString(sum(cityHash64(*))) AS hash FROM {database:Identifier}.{table:Identifier} FINAL

-- name: partition
-- Copies a partition of a table from another database. Parameters: from, table, partition.
INSERT INTO {table:Identifier} SELECT * FROM {from:Identifier}.{table:Identifier} WHERE _partition_id = {partition:String}

-- name: partitions
-- The partitions of a table of a database that have rows. Parameters: from, table.
SELECT _partition_id AS partition FROM {from:Identifier}.{table:Identifier} GROUP BY partition ORDER BY partition

-- name: tables
-- The tables of this database that have a series, without the ledger of migrations. `is_versioned`: the newest revision of a row counts.
SELECT t.name AS name, max(stored.engine LIKE '%ReplacingMergeTree') AS is_versioned
FROM system.tables AS t
JOIN system.tables AS stored ON stored.database = t.database
WHERE t.database = currentDatabase() AND t.name NOT IN ('migrations', 'migrations_local')
  AND (t.engine = 'Distributed' OR t.engine LIKE '%MergeTree' AND NOT endsWith(t.name, '_local'))
  AND stored.name IN (t.name, concat(t.name, '_local'))
GROUP BY name
ORDER BY name
