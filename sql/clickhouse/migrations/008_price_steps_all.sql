-- The price steps over the servers of a cluster, on the shards of their observations. Parameters: shards.
/*!
CREATE TABLE IF NOT EXISTS $database.price_steps ON CLUSTER $cluster AS $database.price_steps_local
ENGINE = Distributed($cluster, $database, price_steps_local, cityHash64(gpu_name) % {shards:UInt16})
*/
