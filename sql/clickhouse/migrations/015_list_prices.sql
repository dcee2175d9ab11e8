-- List prices of clouds, as catalogs tell them: one row where a price changed, and one where an offer ended. They have no quantities, so they
-- are no observations. No partitions: the changes of a reading are one block, there or not.
CREATE TABLE IF NOT EXISTS /*!$database.*/list_prices/*!_local ON CLUSTER $cluster*/ (
  time          DateTime('UTC')        COMMENT 'From when on the catalog had this price' CODEC(Delta, ZSTD(1)),
  catalog       LowCardinality(String) COMMENT 'Who tells it: gpuhunt or skypilot' CODEC(ZSTD(1)),
  provider      LowCardinality(String) COMMENT 'Who asks the price, as in aws' CODEC(ZSTD(1)),
  region        LowCardinality(String) COMMENT 'As the provider names it' CODEC(ZSTD(1)),
  instance_name LowCardinality(String) COMMENT 'As the provider names it' CODEC(ZSTD(1)),
  listed_name   LowCardinality(String) COMMENT 'The GPU as the catalog names it' CODEC(ZSTD(1)),
  gpu_name      LowCardinality(String) COMMENT 'The GPU as markets name it; empty: not known, and never guessed' CODEC(ZSTD(1)),
  gpu_memory    UInt16                 COMMENT 'GB per GPU; 0: not told' CODEC(ZSTD(1)),
  gpus          UInt16                 COMMENT 'GPUs of the instance' CODEC(ZSTD(1)),
  spot          Bool                   COMMENT 'Spot or interruptible; else on demand' CODEC(ZSTD(1)),
  price         Nullable(Decimal(18, 6)) COMMENT 'USD per GPU-hour; NULL: not offered any more' CODEC(ZSTD(1))
) ENGINE = /*!Replicated*/ReplacingMergeTree/*!('/clickhouse/tables/{shard}/$database/list_prices', '{replica}')*/
ORDER BY (gpu_name, catalog, provider, spot, region, instance_name, gpus, gpu_memory, listed_name, time)
COMMENT 'What GPUs cost in clouds: a row where a price changed. It counts until the next row of the same offer'
