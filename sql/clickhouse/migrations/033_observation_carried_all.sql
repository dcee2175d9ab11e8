-- The column of 033_observation_carried.sql over the servers of a cluster.
/*!
ALTER TABLE $database.observations ON CLUSTER $cluster ADD COLUMN IF NOT EXISTS carried UInt32
*/
