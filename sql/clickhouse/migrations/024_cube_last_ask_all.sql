-- The column of 024_cube_last_ask.sql over the servers of a cluster.
/*!
ALTER TABLE $database.cube ON CLUSTER $cluster
  ADD COLUMN IF NOT EXISTS last_ask Nullable(Decimal(18, 9)) DEFAULT -1 AFTER dlperf
*/
