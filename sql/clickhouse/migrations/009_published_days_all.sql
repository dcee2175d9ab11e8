-- The list of published days over the servers of a cluster: all of it is on the first shard.
/*!
CREATE TABLE IF NOT EXISTS $database.published_days ON CLUSTER $cluster AS $database.published_days_local
ENGINE = Distributed($cluster, $database, published_days_local, 0)
*/
