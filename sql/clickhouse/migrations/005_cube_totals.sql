-- Sums that answers and names show. Rows written before compute them when they are read.
ALTER TABLE /*!$database.*/cube/*!_local ON CLUSTER $cluster*/
  ADD COLUMN IF NOT EXISTS total UInt32
    DEFAULT rented_verified + avail_verified + rented_unverified + avail_unverified
    COMMENT 'Machines' CODEC(T64, ZSTD(1)) AFTER bucket,
  ADD COLUMN IF NOT EXISTS available UInt32
    DEFAULT avail_verified + avail_unverified
    COMMENT 'Machines' CODEC(T64, ZSTD(1)) AFTER total,
  ADD COLUMN IF NOT EXISTS total_gpus UInt32
    DEFAULT rented_verified_gpus + avail_verified_gpus + rented_unverified_gpus + avail_unverified_gpus
    COMMENT 'GPUs' CODEC(T64, ZSTD(1)) AFTER avail_unverified
