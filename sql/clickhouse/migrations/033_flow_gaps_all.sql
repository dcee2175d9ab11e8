-- The columns of 033_flow_gaps.sql over the servers of a cluster.
/*!
ALTER TABLE $database.flows ON CLUSTER $cluster
  ADD COLUMN IF NOT EXISTS exposure_gap UInt64 AFTER price_high,
  ADD COLUMN IF NOT EXISTS held_gap UInt64 AFTER exposure_gap,
  ADD COLUMN IF NOT EXISTS mixed_gap UInt64 AFTER held_gap
*/
