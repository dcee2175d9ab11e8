-- name: key_without_tier
-- As 036_tier_price_histogram.sql.
ALTER TABLE /*!$database.*/price_steps/*!_local ON CLUSTER $cluster*/
  MODIFY ORDER BY (step, gpu_name, bucket, num_gpus, verified, hosting_type, rented, price, gpu_memory)

-- name: no_tier
-- A column of a migration that was killed.
ALTER TABLE /*!$database.*/price_steps/*!_local ON CLUSTER $cluster*/
  DROP COLUMN IF EXISTS tier

-- name: tier
-- The column, and the key with it.
ALTER TABLE /*!$database.*/price_steps/*!_local ON CLUSTER $cluster*/
  ADD COLUMN tier Enum8('unknown' = 0, 'verified' = 1, 'unverified' = 2, 'deverified' = 3)
    COMMENT 'verified, unverified or deverified; unknown: not reported, or observed before it was recorded' CODEC(ZSTD(1)) AFTER gpu_memory,
  MODIFY ORDER BY (step, gpu_name, bucket, num_gpus, verified, hosting_type, rented, price, gpu_memory, tier)
