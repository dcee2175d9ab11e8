-- GPUs per price and hour: buckets of whole hours pool their percentiles from it, which reads a twelfth of the rows that observations have.
-- A pure function of `observations`: an hour is recomputed as a whole whenever a slot is loaded into it. Hour first, so that FINAL
-- merges only the hours that have more than one version.
CREATE TABLE IF NOT EXISTS /*!$database.*/price_histogram/*!_local ON CLUSTER $cluster*/ (
  hour         DateTime('UTC')        COMMENT 'Start of the hour' CODEC(Delta, ZSTD(1)),
  gpu_name     LowCardinality(String) COMMENT 'GPU type' CODEC(ZSTD(1)),
  num_gpus     UInt16                 COMMENT 'GPUs of the whole rig' CODEC(ZSTD(1)),
  verified     Bool                   COMMENT 'Whether the machines are verified' CODEC(ZSTD(1)),
  hosting_type Enum8('unknown' = 0, 'community' = 1, 'secure_cloud' = 2) COMMENT 'Where they stand' CODEC(ZSTD(1)),
  rented       Bool                   COMMENT 'Rented; else available' CODEC(ZSTD(1)),
  price        Decimal(18, 9)         COMMENT 'USD per GPU-hour' CODEC(Delta, ZSTD(1)),
  gpus         UInt64                 COMMENT 'Summed over the slots of the hour: the weight of the price' CODEC(T64, ZSTD(1)),
  revision     UInt64                 COMMENT 'The newest counts: select FINAL' CODEC(Delta, ZSTD(1))
) ENGINE = /*!Replicated*/ReplacingMergeTree(/*!'/clickhouse/tables/{shard}/$database/price_histogram', '{replica}', */revision)
PARTITION BY toYYYYMM(hour)
ORDER BY (hour, gpu_name, num_gpus, verified, hosting_type, rented, price)
SETTINGS index_granularity = 1024
COMMENT 'GPUs per price and hour: small, for percentiles over long ranges. Select FINAL'
