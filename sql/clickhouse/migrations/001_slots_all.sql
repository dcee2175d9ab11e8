-- The ledger of the series over the servers of a cluster. It is small and read with every question, so all of it is on the first shard.
/*!
CREATE TABLE IF NOT EXISTS $database.slots ON CLUSTER $cluster AS $database.slots_local
ENGINE = Distributed($cluster, $database, slots_local, 0)
*/
