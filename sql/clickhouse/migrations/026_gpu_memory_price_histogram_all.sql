-- The column of 026_gpu_memory_price_histogram.sql over the servers of a cluster.
/*!
ALTER TABLE $database.price_histogram ON CLUSTER $cluster
  ADD COLUMN IF NOT EXISTS gpu_memory UInt16 AFTER hosting_type
*/
