-- GPUs per price and hour: what whole-hour buckets pool their percentiles from, a twelfth of the observations to read.
-- A pure function of `observations`: an hour is recomputed whole whenever a slot lands in it. Hour first, so that FINAL
-- merges only the hours that have more than one version.
CREATE TABLE IF NOT EXISTS /*!$database.*/price_histogram/*!_local ON CLUSTER $cluster*/ (
  hour         DateTime('UTC')        CODEC(Delta, ZSTD(1)),
  gpu_name     LowCardinality(String) CODEC(ZSTD(1)),
  num_gpus     UInt16                 CODEC(ZSTD(1)),
  verified     Bool                   CODEC(ZSTD(1)),
  hosting_type Enum8('unknown' = 0, 'community' = 1, 'secure_cloud' = 2) CODEC(ZSTD(1)),
  rented       Bool                   CODEC(ZSTD(1)),
  price        Decimal(18, 9)         CODEC(Delta, ZSTD(1)),
  gpus         UInt64                 CODEC(T64, ZSTD(1)),  -- summed over the hour's slots
  revision     UInt64                 CODEC(Delta, ZSTD(1))
) ENGINE = /*!Replicated*/ReplacingMergeTree(/*!'/clickhouse/tables/{shard}/$database/price_histogram', '{replica}', */revision)
PARTITION BY toYYYYMM(hour)
ORDER BY (hour, gpu_name, num_gpus, verified, hosting_type, rented, price)
SETTINGS index_granularity = 1024
