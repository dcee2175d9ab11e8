-- The column of 036_tier_machine_days.sql over the servers of a cluster.
/*!
ALTER TABLE $database.machine_days ON CLUSTER $cluster
  MODIFY COLUMN verified Enum8('unknown' = 0, 'yes' = 1, 'no' = 2, 'unverified' = 3, 'deverified' = 4)
*/
