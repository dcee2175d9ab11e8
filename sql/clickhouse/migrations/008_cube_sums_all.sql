-- The sums of 008_cube_sums.sql over the servers of a cluster.
/*!
ALTER TABLE $database.cube ON CLUSTER $cluster
  ADD COLUMN IF NOT EXISTS pooled_gpus UInt64 AFTER avail_p90,
  ADD COLUMN IF NOT EXISTS pooled_rented_gpus UInt64 AFTER pooled_gpus,
  ADD COLUMN IF NOT EXISTS pooled_value Decimal(38, 9) AFTER pooled_rented_gpus
*/
