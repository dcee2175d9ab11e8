-- The tier of the machine, which `verified` has in two parts only.
ALTER TABLE /*!$database.*/observations/*!_local ON CLUSTER $cluster*/
  ADD COLUMN IF NOT EXISTS tier Enum8('unknown' = 0, 'verified' = 1, 'unverified' = 2, 'deverified' = 3)
    COMMENT 'verified, unverified or deverified; unknown: not told, or observed before it was recorded' CODEC(ZSTD(1))
