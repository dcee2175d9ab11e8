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
-- What a database holds: the engine of `cube` ('' when there is none), whether it lists the files it has applied and has slots, and for how
-- many shards its tables were made (0 when they are not distributed). Parameters: database.
SELECT
  maxIf(engine, name = 'cube') AS engine,
  (SELECT count() FROM system.tables WHERE database = {database:String} AND name = 'migrations') > 0 AS has_ledger,
  (SELECT count() FROM system.tables WHERE database = {database:String} AND name = 'slots') > 0 AS has_slots,
  max(toUInt32OrZero(extract(create_table_query, 'cityHash64\\(gpu_name\\) % [^0-9]*(\\d+)'))) AS shards
FROM /*!cluster($cluster, */system.tables/*!)*/
WHERE database = {database:String} AND name = 'cube'

-- name: shards
-- How many shards a cluster has, by their weights, and how many of them have replicas without internal replication. Parameters: cluster.
SELECT sum(weight) AS shards, countIf(replicas > 1 AND NOT replicates) AS unreplicated
FROM (
  SELECT any(shard_weight) AS weight, count() AS replicas, min(internal_replication) AS replicates
  FROM system.clusters
  WHERE cluster = {cluster:String}
  GROUP BY shard_num
)

-- name: unknown_tables
-- Tables that lack columns of the last release that did not list the files it had applied (commit d58e50a). Parameters: database.
SELECT table
FROM system.columns
WHERE database = {database:String}
GROUP BY table
HAVING NOT hasAll(groupArray(name), map(
  'slots', ['slot', 'source', 'observations', 'ready', 'revision'],
  'observations', [
    'slot', 'machine_id', 'gpu_name', 'num_gpus', 'gpus', 'machines', 'rented', 'verified', 'hosting_type', 'price', 'tflops', 'dlperf', 'source'
  ],
  'price_histogram', ['hour', 'gpu_name', 'num_gpus', 'verified', 'hosting_type', 'rented', 'price', 'gpus', 'revision'],
  'cube', [
    'step', 'verified', 'hosting_type', 'num_gpus', 'gpu_name', 'bucket',
    'rented_verified', 'avail_verified', 'rented_unverified', 'avail_unverified',
    'rented_verified_gpus', 'avail_verified_gpus', 'rented_unverified_gpus', 'avail_unverified_gpus',
    'tflops', 'dlperf', 'rented_p10', 'rented_median', 'rented_p90', 'avail_p10', 'avail_median', 'avail_p90', 'revision'
  ]
)[table])
ORDER BY table
