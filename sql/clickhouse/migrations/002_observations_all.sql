-- The observations over the servers of a cluster. All of a GPU name is on one shard, here and in what is derived: every number is one of a name.
-- Parameters: shards UInt16, how many there are now. Shards that are added later leave every name where it is.
/*!
CREATE TABLE IF NOT EXISTS $database.observations ON CLUSTER $cluster AS $database.observations_local
ENGINE = Distributed($cluster, $database, observations_local, cityHash64(gpu_name) % {shards:UInt16})
*/
