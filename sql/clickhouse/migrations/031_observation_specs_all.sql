-- The column of 031_observation_specs.sql over the servers of a cluster.
/*!
ALTER TABLE $database.observations ON CLUSTER $cluster ADD COLUMN IF NOT EXISTS specs LowCardinality(String)
*/
