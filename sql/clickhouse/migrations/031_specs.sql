-- The specs of machines: one row per machine and slot at which they were others than at the market's slot before.
-- A pure function of `observations` and `slots`, as `terms` is.
CREATE TABLE IF NOT EXISTS /*!$database.*/specs/*!_local ON CLUSTER $cluster*/ (
  slot                DateTime('UTC')          COMMENT 'From this slot on' CODEC(Delta, ZSTD(1)),
  gpu_name            LowCardinality(String)   COMMENT 'GPU type' CODEC(ZSTD(1)),
  machine_id          UInt64                   COMMENT 'The rig' CODEC(Delta, ZSTD(1)),
  inet_up             Nullable(Float64)        COMMENT 'Measured upload, Mbit/s; NULL here and below: not known' CODEC(ZSTD(1)),
  inet_down           Nullable(Float64)        COMMENT 'Measured download, Mbit/s' CODEC(ZSTD(1)),
  disk_bw             Nullable(Float64)        COMMENT 'Measured disk bandwidth, MB/s' CODEC(ZSTD(1)),
  disk_space          Nullable(Float64)        COMMENT 'Disk of the whole machine, GB' CODEC(ZSTD(1)),
  cpu_name            LowCardinality(Nullable(String)) COMMENT 'Model of the processor' CODEC(ZSTD(1)),
  cpu_cores_effective Nullable(Float64)        COMMENT 'Processor threads for the renters of the whole machine' CODEC(ZSTD(1)),
  cpu_ram             Nullable(Float64)        COMMENT 'Memory of the whole machine, MB' CODEC(ZSTD(1)),
  pcie_bw             Nullable(Float64)        COMMENT 'Bandwidth between processor and GPU, GB/s' CODEC(ZSTD(1)),
  gpu_mem_bw          Nullable(Float64)        COMMENT 'Bandwidth of the memory of a GPU, GB/s' CODEC(ZSTD(1)),
  driver_version      LowCardinality(Nullable(String)) COMMENT 'Version of the driver' CODEC(ZSTD(1)),
  cuda_max_good       Nullable(Float64)        COMMENT 'Newest version of CUDA that the driver supports' CODEC(ZSTD(1)),
  direct_port_count   Nullable(UInt16)         COMMENT 'Ports that can be opened to the internet' CODEC(ZSTD(1)),
  static_ip           Nullable(Bool)           COMMENT 'Whether its address stays the same' CODEC(ZSTD(1)),
  score               Nullable(Float64)        COMMENT 'Rank in the searches of the marketplace' CODEC(ZSTD(1)),
  revision            UInt64                   COMMENT 'The newest counts: select FINAL' CODEC(Delta, ZSTD(1))
) ENGINE = /*!Replicated*/ReplacingMergeTree(/*!'/clickhouse/tables/{shard}/$database/specs', '{replica}', */revision)
PARTITION BY toYYYYMM(slot)
ORDER BY (gpu_name, machine_id, slot)
SETTINGS index_granularity = 1024
COMMENT 'Specs of machines whenever they change. All NULL: not known from then on, or the machine left. Select FINAL'
