-- The table of 031_official.sql over the servers of a cluster. A GPU name is on one shard, so that its newest reading counts.
/*!
CREATE TABLE IF NOT EXISTS $database.official ON CLUSTER $cluster AS $database.official_local
ENGINE = Distributed($cluster, $database, official_local, cityHash64(gpu_name))
*/
