-- The column of 024_cube_last_ask_diff.sql over the servers of a cluster.
/*!
ALTER TABLE $database.cube ON CLUSTER $cluster
  ADD COLUMN IF NOT EXISTS last_ask_diff Nullable(Decimal(18, 9)) AFTER dlperf
*/
