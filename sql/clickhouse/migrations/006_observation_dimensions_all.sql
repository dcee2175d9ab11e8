-- The columns of 006_observation_dimensions.sql over the servers of a cluster.
/*!
ALTER TABLE $database.observations ON CLUSTER $cluster
  ADD COLUMN IF NOT EXISTS host_id Nullable(UInt64) AFTER source,
  ADD COLUMN IF NOT EXISTS country LowCardinality(String) AFTER host_id,
  ADD COLUMN IF NOT EXISTS gpu_ram Nullable(UInt32) AFTER country,
  ADD COLUMN IF NOT EXISTS rental_type Enum8('unknown' = 0, 'on_demand' = 1, 'reserved' = 2, 'interruptible' = 3) AFTER gpu_ram,
  ADD COLUMN IF NOT EXISTS min_gpus Nullable(UInt16) AFTER rental_type
*/
