-- The columns of 032_machine_days_classes.sql over the servers of a cluster.
/*!
ALTER TABLE $database.machine_days ON CLUSTER $cluster
  ADD COLUMN IF NOT EXISTS gpu_memory UInt16 AFTER ask_rented,
  ADD COLUMN IF NOT EXISTS verified Enum8('unknown' = 0, 'yes' = 1, 'no' = 2) AFTER gpu_memory,
  ADD COLUMN IF NOT EXISTS hosting_type Enum8('unknown' = 0, 'community' = 1, 'secure_cloud' = 2) AFTER verified,
  ADD COLUMN IF NOT EXISTS host_id Nullable(UInt64) AFTER hosting_type,
  ADD COLUMN IF NOT EXISTS first_rented DateTime('UTC') AFTER host_id
*/
