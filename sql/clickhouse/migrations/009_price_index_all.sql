-- The price index over the servers of a cluster. It is small, so all of it is on the first shard.
/*!
CREATE TABLE IF NOT EXISTS $database.price_index ON CLUSTER $cluster AS $database.price_index_local
ENGINE = Distributed($cluster, $database, price_index_local, 0)
*/
