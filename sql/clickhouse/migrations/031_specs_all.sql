-- The table specs over the servers of a cluster. Parameters: shards, as for 025_schema_all.sql.
/*!
CREATE TABLE IF NOT EXISTS $database.specs ON CLUSTER $cluster AS $database.specs_local
ENGINE = Distributed($cluster, $database, specs_local, cityHash64(gpu_name) % {shards:UInt16})
*/
