-- The column of 030_observation_imports.sql over the servers of a cluster.
/*!
ALTER TABLE $database.observations ON CLUSTER $cluster ADD COLUMN IF NOT EXISTS import_id UInt64
*/
