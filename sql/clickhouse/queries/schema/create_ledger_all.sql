-- The list of applied files over the servers of a cluster: all of it is on the first shard.
/*!
CREATE TABLE IF NOT EXISTS $database.migrations ON CLUSTER $cluster AS $database.migrations_local
ENGINE = Distributed($cluster, $database, migrations_local, 0)
*/
