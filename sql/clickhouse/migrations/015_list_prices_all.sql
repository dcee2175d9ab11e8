-- The list prices over the servers of a cluster. They are few, so all of them are on the first shard.
/*!
CREATE TABLE IF NOT EXISTS $database.list_prices ON CLUSTER $cluster AS $database.list_prices_local
ENGINE = Distributed($cluster, $database, list_prices_local, 0)
*/
