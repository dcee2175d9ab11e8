-- The column of 036_tier_price_steps.sql over the servers of a cluster.
/*!
ALTER TABLE $database.price_steps ON CLUSTER $cluster
  ADD COLUMN IF NOT EXISTS tier Enum8('unknown' = 0, 'verified' = 1, 'unverified' = 2, 'deverified' = 3) AFTER gpu_memory
*/
