-- The time between two sights of a machine, where it is longer than the time between two slots: for rentals that begin and end unseen.
ALTER TABLE /*!$database.*/flows/*!_local ON CLUSTER $cluster*/
  ADD COLUMN IF NOT EXISTS exposure_gap UInt64
    COMMENT 'Exposure of carried machines times the seconds between two sights of the machine' CODEC(T64, ZSTD(1)) AFTER price_high,
  ADD COLUMN IF NOT EXISTS held_gap UInt64
    COMMENT 'The same of held' CODEC(T64, ZSTD(1)) AFTER exposure_gap,
  ADD COLUMN IF NOT EXISTS mixed_gap UInt64
    COMMENT 'exposure_gap of machines with rented GPUs times their rentals at most: rented GPUs ÷ the smallest part' CODEC(T64, ZSTD(1)) AFTER held_gap
