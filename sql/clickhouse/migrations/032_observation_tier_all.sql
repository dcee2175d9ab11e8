-- The column of 032_observation_tier.sql over the servers of a cluster.
/*!
ALTER TABLE $database.observations ON CLUSTER $cluster
  ADD COLUMN IF NOT EXISTS tier Enum8('unknown' = 0, 'verified' = 1, 'unverified' = 2, 'deverified' = 3)
*/
