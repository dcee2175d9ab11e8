-- The columns of 034_flow_mixed.sql over the servers of a cluster.
/*!
ALTER TABLE $database.flows ON CLUSTER $cluster
  ADD COLUMN IF NOT EXISTS mixed_rentals UInt64 AFTER mixed_gap,
  ADD COLUMN IF NOT EXISTS mixed_returns UInt64 AFTER mixed_rentals
*/
