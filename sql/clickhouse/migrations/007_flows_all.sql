-- The flows over the servers of a cluster, on the shards of their observations. Parameters: shards.
/*!
CREATE TABLE IF NOT EXISTS $database.flows ON CLUSTER $cluster AS $database.flows_local
ENGINE = Distributed($cluster, $database, flows_local, cityHash64(gpu_name) % {shards:UInt16})
*/
