-- The bins of 019_bins_of_histogram.sql over the servers of a cluster.
/*!
ALTER TABLE $database.price_histogram ON CLUSTER $cluster
  ADD COLUMN IF NOT EXISTS bin UInt8 AFTER gpus
*/
