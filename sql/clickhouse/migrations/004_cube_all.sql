-- The cube over the servers of a cluster, on the shards of its observations. Parameters: shards.
/*!
CREATE TABLE IF NOT EXISTS $database.cube ON CLUSTER $cluster AS $database.cube_local
ENGINE = Distributed($cluster, $database, cube_local, cityHash64(gpu_name) % {shards:UInt16})
*/
