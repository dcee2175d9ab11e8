-- Which days are published, and what the ledger of slots said then. A day whose slots have changed since is computed again.
CREATE TABLE IF NOT EXISTS /*!$database.*/published_days/*!_local ON CLUSTER $cluster*/ (
  day       Date   COMMENT 'Day in UTC' CODEC(Delta, ZSTD(1)),
  print     UInt64 COMMENT 'Fingerprint of the slots of the day' CODEC(ZSTD(1)),
  print_1   UInt64 COMMENT 'The same of the day before' CODEC(ZSTD(1)),
  print_28  UInt64 COMMENT 'The same of the day 28 days before' CODEC(ZSTD(1)),
  revision  UInt64 COMMENT 'The newest counts: select FINAL' CODEC(ZSTD(1))
) ENGINE = /*!Replicated*/ReplacingMergeTree(/*!'/clickhouse/tables/{shard}/$database/published_days', '{replica}', */revision)
ORDER BY day
COMMENT 'Which days of the price index and of the machines are published. Select FINAL'
