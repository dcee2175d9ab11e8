-- The columns of 022_cube_thin.sql over the servers of a cluster.
/*!
ALTER TABLE $database.cube ON CLUSTER $cluster
  ADD COLUMN IF NOT EXISTS rented_thin Enum8('unknown' = 0, 'yes' = 1, 'no' = 2) AFTER dlperf,
  ADD COLUMN IF NOT EXISTS avail_thin Enum8('unknown' = 0, 'yes' = 1, 'no' = 2) AFTER rented_thin
*/
