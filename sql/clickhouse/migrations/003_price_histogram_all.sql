-- The price histogram over the servers of a cluster, on the shards of its observations. Parameters: shards.
/*!
CREATE TABLE IF NOT EXISTS $database.price_histogram ON CLUSTER $cluster AS $database.price_histogram_local
ENGINE = Distributed($cluster, $database, price_histogram_local, cityHash64(gpu_name) % {shards:UInt16})
*/
