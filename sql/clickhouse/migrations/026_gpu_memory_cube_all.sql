-- The columns of 026_gpu_memory_cube.sql over the servers of a cluster.
/*!
ALTER TABLE $database.cube ON CLUSTER $cluster
  ADD COLUMN IF NOT EXISTS gpu_memory UInt16 AFTER num_gpus,
  ADD COLUMN IF NOT EXISTS only_memory UInt16 AFTER bucket
*/
