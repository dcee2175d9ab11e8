-- The column of 036_tier_price_histogram.sql over the servers of a cluster.
/*!
ALTER TABLE $database.price_histogram ON CLUSTER $cluster
  ADD COLUMN IF NOT EXISTS tier Enum8('unknown' = 0, 'verified' = 1, 'unverified' = 2, 'deverified' = 3) AFTER gpu_memory
*/
