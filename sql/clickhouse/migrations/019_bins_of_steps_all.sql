-- The bins of 019_bins_of_steps.sql over the servers of a cluster.
/*!
ALTER TABLE $database.price_steps ON CLUSTER $cluster
  ADD COLUMN IF NOT EXISTS bin UInt8 AFTER gpus
*/
