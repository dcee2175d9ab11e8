-- The price histogram in buckets of 6 hours and of a day, for price distributions over long ranges: prices hardly change from hour to hour, so
-- a day has a thirteenth of the rows that its hours have. GPU name first, because a question asks for few names and many buckets.
CREATE TABLE IF NOT EXISTS /*!$database.*/price_steps/*!_local ON CLUSTER $cluster*/ (
  step         UInt32                 COMMENT 'Seconds of a bucket: 21600 or 86400' CODEC(ZSTD(1)),
  gpu_name     LowCardinality(String) COMMENT 'GPU type' CODEC(ZSTD(1)),
  bucket       DateTime('UTC')        COMMENT 'Start of the bucket' CODEC(Delta, ZSTD(1)),
  num_gpus     UInt16                 COMMENT 'GPUs of the whole rig' CODEC(ZSTD(1)),
  verified     Bool                   COMMENT 'Whether the machines are verified' CODEC(ZSTD(1)),
  hosting_type Enum8('unknown' = 0, 'community' = 1, 'secure_cloud' = 2) COMMENT 'Where they stand' CODEC(ZSTD(1)),
  rented       Bool                   COMMENT 'Rented; else available' CODEC(ZSTD(1)),
  price        Decimal(18, 9)         COMMENT 'USD per GPU-hour' CODEC(Delta, ZSTD(1)),
  gpus         UInt64                 COMMENT 'Summed over the slots of the bucket: the weight of the price' CODEC(T64, ZSTD(1)),
  revision     UInt64                 COMMENT 'The newest counts: select FINAL' CODEC(Delta, ZSTD(1))
) ENGINE = /*!Replicated*/ReplacingMergeTree(/*!'/clickhouse/tables/{shard}/$database/price_steps', '{replica}', */revision)
PARTITION BY (step, toYYYYMM(bucket))
ORDER BY (step, gpu_name, bucket, num_gpus, verified, hosting_type, rented, price)
SETTINGS index_granularity = 1024
COMMENT 'GPUs per price in buckets of 6 hours and of a day. Select FINAL'
