-- What each machine was on each day that is over: one row per day, machine, GPU name and rig size. The price index and the churn are computed
-- from it. A pure function of `observations`, and kept when these are removed. A machine that changes its GPU name or its rig size
-- is another machine from then on, so both are part of the key.
CREATE TABLE IF NOT EXISTS /*!$database.*/machine_days/*!_local ON CLUSTER $cluster*/ (
  day         Date                   COMMENT 'Day in UTC' CODEC(Delta, ZSTD(1)),
  gpu_name    LowCardinality(String) COMMENT 'GPU type' CODEC(ZSTD(1)),
  machine_id  UInt64                 COMMENT 'The rig' CODEC(Delta, ZSTD(1)),
  num_gpus    UInt16                 COMMENT 'GPUs of the whole rig' CODEC(ZSTD(1)),
  slots       UInt32                 COMMENT 'Slots of the day in which it was on the market' CODEC(T64, ZSTD(1)),
  avail_gpus  UInt64                 COMMENT 'Its available GPUs, summed over the slots' CODEC(T64, ZSTD(1)),
  avail_value Decimal(38, 9)         COMMENT 'Price of each available GPU, summed over the slots' CODEC(ZSTD(1)),
  revision    UInt64                 COMMENT 'The newest counts: select FINAL' CODEC(Delta, ZSTD(1))
) ENGINE = /*!Replicated*/ReplacingMergeTree(/*!'/clickhouse/tables/{shard}/$database/machine_days', '{replica}', */revision)
PARTITION BY toYYYYMM(day)
ORDER BY (gpu_name, day, machine_id, num_gpus)
COMMENT 'Every machine by day: for the price index and the churn. Select FINAL'
