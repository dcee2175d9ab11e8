-- name: create_ledger
-- The files of sql/clickhouse/migrations and views that this database has applied, each with its hash.
CREATE TABLE IF NOT EXISTS /*!$database.*/migrations/*!_local ON CLUSTER $cluster*/ (
  name       String                  COMMENT 'Path of the file under sql/',
  hash       String                  COMMENT 'SHA-256 of its text',
  applied_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC')
) ENGINE = /*!Replicated*/ReplacingMergeTree(/*!'/clickhouse/tables/{shard}/$database/migrations', '{replica}', */applied_at)
ORDER BY name
COMMENT 'The files that made this schema. Select FINAL'

-- name: create_ledger_all
-- The list of applied files over the servers of a cluster: all of it is on the first shard.
/*!
CREATE TABLE IF NOT EXISTS $database.migrations ON CLUSTER $cluster AS $database.migrations_local
ENGINE = Distributed($cluster, $database, migrations_local, 0)
*/

-- name: found
-- The content of a database: the engine of `cube` ('' when there is none), true if it lists the files it has applied, true if a table lacks the
-- newest column of the last release (is_too_old), the sharding key of `cube` ('' when it is not distributed), and the number of sharding keys of the
-- tables by GPU name on all servers. All forms of the hash count as one. Parameters: database.
SELECT
  maxIf(t.engine, t.name = 'cube') AS engine,
  (SELECT count() FROM system.tables WHERE database = {database:String} AND name = 'migrations') > 0 AS has_ledger,
  (
    SELECT count()
    FROM (
      SELECT table, has(groupArray(name), map(
        'observations', 'terms', 'price_histogram', 'bin', 'cube', 'last_ask_diff', 'price_steps', 'bin',
        'machine_days', 'ask_rented', 'price_index', 'is_sealed', 'published_days', 'is_sealed'
      )[table] AS newest) OR newest = '' AS is_known
      FROM system.columns
      WHERE database = {database:String}
      GROUP BY table
    )
    WHERE NOT is_known
  ) > 0 AS is_too_old,
  maxIf(extract(t.engine_full, '_local\', (.*)\\)$'), t.name = 'cube') AS sharding,
  uniqExactIf(
    replaceRegexpOne(extract(t.engine_full, '_local\', (.*)\\)$'), '^cityHash64.*', 'hash'),
    t.engine = 'Distributed' AND t.engine_full LIKE '%cityHash64(gpu_name)%'
  ) AS shardings
FROM /*!cluster($cluster, */system.tables/*!)*/ AS t
WHERE t.database = {database:String}

-- name: shards
-- The number of shards of a cluster, by their weights, and the number of shards that have replicas without internal replication. Parameters: cluster.
SELECT sum(weight) AS shards, countIf(replicas > 1 AND NOT replicates) AS unreplicated
FROM (
  SELECT any(shard_weight) AS weight, count() AS replicas, min(internal_replication) AS replicates
  FROM system.clusters
  WHERE cluster = {cluster:String}
  GROUP BY shard_num
)
