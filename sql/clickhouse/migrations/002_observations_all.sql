-- The observations over the servers of a cluster. All rows of a GPU name are on one shard, here and in the derived tables, because every number
-- is computed for one name. Parameters: shards UInt16, how many there are now. Shards that are added later leave every name where it is.
/*!
CREATE TABLE IF NOT EXISTS $database.observations ON CLUSTER $cluster AS $database.observations_local
ENGINE = Distributed($cluster, $database, observations_local, cityHash64(gpu_name) % {shards:UInt16})
*/
