-- The column of 013_observation_terms.sql over the servers of a cluster.
/*!
ALTER TABLE $database.observations ON CLUSTER $cluster
  ADD COLUMN IF NOT EXISTS terms LowCardinality(String) AFTER min_gpus
*/
