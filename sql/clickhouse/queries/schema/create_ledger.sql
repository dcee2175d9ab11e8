-- The files of sql/clickhouse/migrations and views that this database has applied, each with its hash.
CREATE TABLE IF NOT EXISTS /*!$database.*/migrations/*!_local ON CLUSTER $cluster*/ (
  name       String                  COMMENT 'Path of the file under sql/',
  hash       String                  COMMENT 'SHA-256 of its text',
  applied_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC')
) ENGINE = /*!Replicated*/ReplacingMergeTree(/*!'/clickhouse/tables/{shard}/$database/migrations', '{replica}', */applied_at)
ORDER BY name
COMMENT 'The files that made this schema. Select FINAL'
