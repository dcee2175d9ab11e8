-- The sums of 005_cube_totals.sql over the servers of a cluster.
/*!
ALTER TABLE $database.cube ON CLUSTER $cluster
  ADD COLUMN IF NOT EXISTS total UInt32 AFTER bucket,
  ADD COLUMN IF NOT EXISTS available UInt32 AFTER total,
  ADD COLUMN IF NOT EXISTS total_gpus UInt32 AFTER avail_unverified
*/
