-- The column of 026_gpu_memory_flows.sql over the servers of a cluster.
/*!
ALTER TABLE $database.flows ON CLUSTER $cluster
  ADD COLUMN IF NOT EXISTS gpu_memory UInt16 AFTER hosting_type
*/
