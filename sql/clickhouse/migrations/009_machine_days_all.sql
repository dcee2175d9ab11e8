-- The days of the machines over the servers of a cluster, on the shards of their observations. Parameters: shards.
/*!
CREATE TABLE IF NOT EXISTS $database.machine_days ON CLUSTER $cluster AS $database.machine_days_local
ENGINE = Distributed($cluster, $database, machine_days_local, cityHash64(gpu_name) % {shards:UInt16})
*/
