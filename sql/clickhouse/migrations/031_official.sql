-- Aggregates of the market as another server reports them. They are not observations, and nothing is computed from them.
CREATE TABLE IF NOT EXISTS /*!$database.*/official/*!_local ON CLUSTER $cluster*/ (
  bucket                 DateTime('UTC')        COMMENT 'Start of the bucket' CODEC(Delta, ZSTD(1)),
  step                   UInt32                 COMMENT 'Seconds of the bucket' CODEC(ZSTD(1)),
  gpu_name               LowCardinality(String) COMMENT 'GPU type' CODEC(ZSTD(1)),
  verified               LowCardinality(String) COMMENT 'Machines in it: all, yes (verified) or no (unverified)' CODEC(ZSTD(1)),
  total                  UInt32                 COMMENT 'Machines' CODEC(ZSTD(1)),
  available              UInt32                 COMMENT 'Available machines' CODEC(ZSTD(1)),
  rented_verified        UInt32                 COMMENT 'Rented verified machines' CODEC(ZSTD(1)),
  avail_verified         UInt32                 COMMENT 'Available verified machines' CODEC(ZSTD(1)),
  rented_unverified      UInt32                 COMMENT 'Rented unverified machines' CODEC(ZSTD(1)),
  avail_unverified       UInt32                 COMMENT 'Available unverified machines' CODEC(ZSTD(1)),
  total_gpus             UInt32                 COMMENT 'GPUs' CODEC(ZSTD(1)),
  rented_verified_gpus   UInt32                 COMMENT 'Rented GPUs of verified machines' CODEC(ZSTD(1)),
  avail_verified_gpus    UInt32                 COMMENT 'Available GPUs of verified machines' CODEC(ZSTD(1)),
  rented_unverified_gpus UInt32                 COMMENT 'Rented GPUs of unverified machines' CODEC(ZSTD(1)),
  avail_unverified_gpus  UInt32                 COMMENT 'Available GPUs of unverified machines' CODEC(ZSTD(1)),
  rented_p10             Nullable(Decimal(18, 6)) COMMENT 'USD per GPU-hour of rented GPUs' CODEC(ZSTD(1)),
  rented_median          Nullable(Decimal(18, 6)) COMMENT 'USD per GPU-hour of rented GPUs' CODEC(ZSTD(1)),
  rented_p90             Nullable(Decimal(18, 6)) COMMENT 'USD per GPU-hour of rented GPUs' CODEC(ZSTD(1)),
  avail_p10              Nullable(Decimal(18, 6)) COMMENT 'USD per GPU-hour of available GPUs' CODEC(ZSTD(1)),
  avail_median           Nullable(Decimal(18, 6)) COMMENT 'USD per GPU-hour of available GPUs' CODEC(ZSTD(1)),
  avail_p90              Nullable(Decimal(18, 6)) COMMENT 'USD per GPU-hour of available GPUs' CODEC(ZSTD(1)),
  read_at                DateTime('UTC')        COMMENT 'When it was read: the newest reading counts' CODEC(Delta, ZSTD(1))
) ENGINE = /*!Replicated*/ReplacingMergeTree(/*!'/clickhouse/tables/{shard}/$database/official', '{replica}', */read_at)
ORDER BY (gpu_name, verified, bucket)
COMMENT 'The market as another server reports it, for the time before the own observations. Select FINAL'
