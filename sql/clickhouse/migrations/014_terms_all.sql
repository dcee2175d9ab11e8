-- The terms over the servers of a cluster, on the shards of their observations. Parameters: shards.
/*!
CREATE TABLE IF NOT EXISTS $database.terms ON CLUSTER $cluster AS $database.terms_local
ENGINE = Distributed($cluster, $database, terms_local, cityHash64(gpu_name) % {shards:UInt16})
*/
