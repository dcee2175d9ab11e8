-- The age of the sight of a machine. A sweep keeps machines that a slot has not seen, so flows need the time between two sights.
ALTER TABLE /*!$database.*/observations/*!_local ON CLUSTER $cluster*/
  ADD COLUMN IF NOT EXISTS carried UInt32
    COMMENT 'Seconds since the machine was seen; 0: seen in this slot, or observed before it was recorded' CODEC(ZSTD(1))
