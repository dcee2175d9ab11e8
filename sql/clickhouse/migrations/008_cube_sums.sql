-- Sums over all slots of a bucket of whole hours: what revenue and occupancy are made of. In rows of finer steps they are 0.
-- Rows written before get theirs in the background (ingest/fill-sums.ts).
ALTER TABLE /*!$database.*/cube/*!_local ON CLUSTER $cluster*/
  ADD COLUMN IF NOT EXISTS pooled_gpus UInt64
    COMMENT 'GPUs on the market, summed over the slots of a bucket of whole hours; 0: finer step' CODEC(T64, ZSTD(1)) AFTER avail_p90,
  ADD COLUMN IF NOT EXISTS pooled_rented_gpus UInt64
    COMMENT 'Rented GPUs, summed over the slots' CODEC(T64, ZSTD(1)) AFTER pooled_gpus,
  ADD COLUMN IF NOT EXISTS pooled_value Decimal(38, 9)
    COMMENT 'Price of each rented GPU, summed over the slots' CODEC(ZSTD(1)) AFTER pooled_rented_gpus
