-- The column of 036_tier_cube.sql over the servers of a cluster.
/*!
ALTER TABLE $database.cube ON CLUSTER $cluster
  MODIFY COLUMN verified Enum8('all' = 0, 'yes' = 1, 'no' = 2, 'unverified' = 3, 'deverified' = 4, 'unknown' = 5)
*/
