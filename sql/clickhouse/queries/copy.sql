-- name: balance
-- The number of observations on each shard of a cluster, and the weight of the shard. Parameters: cluster.
SELECT c.shard_num AS shard, any(c.shard_weight) AS weight, any(o.rows) AS rows
FROM system.clusters AS c
LEFT JOIN (SELECT _shard_num AS shard_num, count() AS rows FROM observations GROUP BY shard_num) AS o ON o.shard_num = c.shard_num
WHERE c.cluster = {cluster:String}
GROUP BY shard
ORDER BY shard

-- name: hash
-- The number of rows of a table of a database, and a hash of all of them. Parameters: database, table.
SELECT count() AS rows, toString(sum(cityHash64(*))) AS hash FROM {database:Identifier}.{table:Identifier}

-- name: hash_of_newest
-- As `hash`, for a table of which the newest revision of a row counts. Parameters: database, table.
SELECT count() AS rows, toString(sum(cityHash64(*))) AS hash FROM {database:Identifier}.{table:Identifier} FINAL

-- name: names
-- The GPU names of a database with the most observations: the hash of each, and the number. Parameters: from, most.
SELECT toString(cityHash64(gpu_name)) AS hash, count() AS rows
FROM {from:Identifier}.observations
GROUP BY gpu_name
ORDER BY rows DESC, gpu_name
LIMIT {most:UInt32}

-- name: partition
-- Copies a partition of a table from another database. Parameters: from, table, partition.
INSERT INTO {table:Identifier} SELECT * FROM {from:Identifier}.{table:Identifier} WHERE _partition_id = {partition:String}

-- name: partitions
-- The partitions of a table of a database that have rows. Parameters: from, table.
SELECT _partition_id AS partition FROM {from:Identifier}.{table:Identifier} GROUP BY partition ORDER BY partition

-- name: place_names
-- Spreads the empty table $table of a cluster by a list of GPU names. Any other name is placed by its hash. Parameters: hashes (of the names), places
-- (the shard of each, from 0), shards.
/*!
CREATE OR REPLACE TABLE $database.$table ON CLUSTER $cluster AS $database.$table_local
ENGINE = Distributed(
  $cluster, $database, $table_local,
  transform(cityHash64(gpu_name), {hashes:Array(UInt64)}, {places:Array(UInt16)}, cityHash64(gpu_name) % {shards:UInt16})
)
*/

-- name: spread_tables
-- The tables of this database that are spread by GPU name.
SELECT name FROM system.tables
WHERE database = currentDatabase() AND engine = 'Distributed' AND engine_full LIKE '%cityHash64(gpu_name)%'
ORDER BY name

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
