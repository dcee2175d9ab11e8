-- What was seen: one row per (slot, machine, state, price). Every number is computed from it, and no row of it is ever rewritten.
-- Layout: a machine hardly changes from slot to slot, so its slots of one day stand together and compress to almost
-- nothing. `slot` is in the sorting key but not in the primary key: right behind toDate(slot) it would defeat pruning by day.
CREATE TABLE IF NOT EXISTS /*!$database.*/observations/*!_local ON CLUSTER $cluster*/ (
  slot         DateTime('UTC')        COMMENT 'When it was seen' CODEC(DoubleDelta, ZSTD(1)),
  machine_id   UInt64                 COMMENT 'The rig' CODEC(Delta, ZSTD(1)),
  gpu_name     LowCardinality(String) COMMENT 'GPU type, as in RTX 4090' CODEC(ZSTD(1)),
  num_gpus     UInt16                 COMMENT 'GPUs of the whole rig' CODEC(ZSTD(1)),
  gpus         UInt16                 COMMENT 'Its GPUs in this state at this price: the weight of a price' CODEC(ZSTD(1)),
  machines     UInt8                  COMMENT '1 on one row of each machine and slot: machine counts are sums' CODEC(ZSTD(1)),
  rented       Bool                   COMMENT 'Rented; else available' CODEC(ZSTD(1)),
  verified     Bool                   COMMENT 'Whether the machine is verified' CODEC(ZSTD(1)),
  hosting_type Enum8('unknown' = 0, 'community' = 1, 'secure_cloud' = 2) COMMENT 'Where it stands' CODEC(ZSTD(1)),
  price        Decimal(18, 9)         COMMENT 'USD per GPU-hour' CODEC(ZSTD(1)),
  tflops       Nullable(Float64)      COMMENT 'Per GPU' CODEC(ZSTD(1)),
  dlperf       Nullable(Float64)      COMMENT 'Deep-learning score per GPU' CODEC(ZSTD(1)),
  source       LowCardinality(String) COMMENT 'market, simulated, or the format of an import' CODEC(ZSTD(1))
) ENGINE = /*!Replicated*/MergeTree/*!('/clickhouse/tables/{shard}/$database/observations', '{replica}')*/
PARTITION BY toYYYYMM(slot)
PRIMARY KEY (gpu_name, toDate(slot), machine_id)
ORDER BY (gpu_name, toDate(slot), machine_id, slot)
SETTINGS non_replicated_deduplication_window = 1000
  /*!, replicated_deduplication_window = 1000, replicated_deduplication_window_seconds = 3153600000*/
COMMENT 'What was seen: one row per slot, machine, state and price. The source of every number'
