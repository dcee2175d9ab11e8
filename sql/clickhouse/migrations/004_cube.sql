-- The stored answers: one row per (step, filter, GPU name, bucket). Step 1 holds each slot by itself; the other steps
-- are the ladder of contract/ladder.ts. Filter values of 0 / 'all' stand for "not filtered".
-- Counts are those of the market's last slot in the bucket, percentiles pool all of it. Small granules and compress
-- blocks, because a question reads a few short ranges.
CREATE TABLE IF NOT EXISTS /*!$database.*/cube/*!_local ON CLUSTER $cluster*/ (
  step                   UInt32 COMMENT 'Seconds of a bucket; 1: single slots' CODEC(ZSTD(1)),
  verified               Enum8('all' = 0, 'yes' = 1, 'no' = 2) COMMENT 'Filter; all: not filtered' CODEC(ZSTD(1)),
  hosting_type           Enum8('all' = 0, 'community' = 1, 'secure_cloud' = 2) COMMENT 'Filter; all: not filtered' CODEC(ZSTD(1)),
  num_gpus               UInt16 COMMENT 'Filter: GPUs of the whole rig; 0: not filtered' CODEC(ZSTD(1)),
  gpu_name               LowCardinality(String) COMMENT 'GPU type' CODEC(ZSTD(1)),
  bucket                 DateTime('UTC') COMMENT 'Start of the bucket' CODEC(DoubleDelta, ZSTD(1)),
  rented_verified        UInt32 COMMENT 'Machines at the last slot of the bucket, as all counts' CODEC(T64, ZSTD(1)),
  avail_verified         UInt32 COMMENT 'Machines' CODEC(T64, ZSTD(1)),
  rented_unverified      UInt32 COMMENT 'Machines' CODEC(T64, ZSTD(1)),
  avail_unverified       UInt32 COMMENT 'Machines' CODEC(T64, ZSTD(1)),
  rented_verified_gpus   UInt32 COMMENT 'GPUs' CODEC(T64, ZSTD(1)),
  avail_verified_gpus    UInt32 COMMENT 'GPUs' CODEC(T64, ZSTD(1)),
  rented_unverified_gpus UInt32 COMMENT 'GPUs' CODEC(T64, ZSTD(1)),
  avail_unverified_gpus  UInt32 COMMENT 'GPUs' CODEC(T64, ZSTD(1)),
  tflops                 Nullable(Float64) COMMENT '90th percentile per GPU' CODEC(ZSTD(1)),
  dlperf                 Nullable(Float64) COMMENT '90th percentile per GPU' CODEC(ZSTD(1)),
  rented_p10             Nullable(Decimal(18, 9)) COMMENT 'USD per GPU-hour, pooled over the bucket, as all prices' CODEC(ZSTD(1)),
  rented_median          Nullable(Decimal(18, 9)) COMMENT 'USD per GPU-hour' CODEC(ZSTD(1)),
  rented_p90             Nullable(Decimal(18, 9)) COMMENT 'USD per GPU-hour' CODEC(ZSTD(1)),
  avail_p10              Nullable(Decimal(18, 9)) COMMENT 'USD per GPU-hour' CODEC(ZSTD(1)),
  avail_median           Nullable(Decimal(18, 9)) COMMENT 'USD per GPU-hour' CODEC(ZSTD(1)),
  avail_p90              Nullable(Decimal(18, 9)) COMMENT 'USD per GPU-hour' CODEC(ZSTD(1)),
  revision               UInt64 COMMENT 'The newest counts: select FINAL' CODEC(Delta, ZSTD(1))
) ENGINE = /*!Replicated*/ReplacingMergeTree(/*!'/clickhouse/tables/{shard}/$database/cube', '{replica}', */revision)
PARTITION BY (step, toYYYYMM(bucket))
ORDER BY (step, verified, hosting_type, num_gpus, gpu_name, bucket)
SETTINGS index_granularity = 1024, min_compress_block_size = 8192, max_compress_block_size = 65536
COMMENT 'The stored answers of the price history: one row per step, filter, GPU type and bucket. Select FINAL'
