-- What was seen: one row per (slot, machine, state, price). The source of every number; never rewritten.
-- Layout: a machine hardly changes from slot to slot, so its slots of one day stand together and compress to almost
-- nothing. `slot` is in the sorting key but not in the primary key: right behind toDate(slot) it would defeat pruning by day.
CREATE TABLE IF NOT EXISTS /*!$database.*/observations/*!_local ON CLUSTER $cluster*/ (
  slot         DateTime('UTC')        CODEC(DoubleDelta, ZSTD(1)),
  machine_id   UInt64                 CODEC(Delta, ZSTD(1)),
  gpu_name     LowCardinality(String) CODEC(ZSTD(1)),
  num_gpus     UInt16                 CODEC(ZSTD(1)),  -- GPUs of the rig
  gpus         UInt16                 CODEC(ZSTD(1)),  -- its GPUs in this state at this price
  machines     UInt8                  CODEC(ZSTD(1)),  -- 1 on exactly one row of a machine, that of its class: machine counts are sums
  rented       Bool                   CODEC(ZSTD(1)),
  verified     Bool                   CODEC(ZSTD(1)),
  hosting_type Enum8('unknown' = 0, 'community' = 1, 'secure_cloud' = 2) CODEC(ZSTD(1)),
  price        Decimal(18, 9)         CODEC(ZSTD(1)),  -- USD per GPU-hour
  tflops       Nullable(Float64)      CODEC(ZSTD(1)),  -- per GPU
  dlperf       Nullable(Float64)      CODEC(ZSTD(1)),  -- per GPU
  source       LowCardinality(String) CODEC(ZSTD(1))
) ENGINE = /*!Replicated*/MergeTree/*!('/clickhouse/tables/{shard}/$database/observations', '{replica}')*/
PARTITION BY toYYYYMM(slot)
PRIMARY KEY (gpu_name, toDate(slot), machine_id)
ORDER BY (gpu_name, toDate(slot), machine_id, slot)
SETTINGS non_replicated_deduplication_window = 1000
  /*!, replicated_deduplication_window = 1000, replicated_deduplication_window_seconds = 3153600000*/
