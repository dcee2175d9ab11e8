-- The tables of 025_schema.sql over the servers of a cluster. All rows of a GPU name are on one shard, in the observations and in all derived tables,
-- because every number is computed for one name. Small tables are on the first shard. Parameters: shards UInt16, how many there are now. Shards that are
-- added later leave every name in its place.

-- name: slots
/*!
CREATE TABLE IF NOT EXISTS $database.slots ON CLUSTER $cluster AS $database.slots_local
ENGINE = Distributed($cluster, $database, slots_local, 0)
*/

-- name: observations
/*!
CREATE TABLE IF NOT EXISTS $database.observations ON CLUSTER $cluster AS $database.observations_local
ENGINE = Distributed($cluster, $database, observations_local, cityHash64(gpu_name) % {shards:UInt16})
*/

-- name: price_histogram
/*!
CREATE TABLE IF NOT EXISTS $database.price_histogram ON CLUSTER $cluster AS $database.price_histogram_local
ENGINE = Distributed($cluster, $database, price_histogram_local, cityHash64(gpu_name) % {shards:UInt16})
*/

-- name: cube
/*!
CREATE TABLE IF NOT EXISTS $database.cube ON CLUSTER $cluster AS $database.cube_local
ENGINE = Distributed($cluster, $database, cube_local, cityHash64(gpu_name) % {shards:UInt16})
*/

-- name: flows
/*!
CREATE TABLE IF NOT EXISTS $database.flows ON CLUSTER $cluster AS $database.flows_local
ENGINE = Distributed($cluster, $database, flows_local, cityHash64(gpu_name) % {shards:UInt16})
*/

-- name: price_steps
/*!
CREATE TABLE IF NOT EXISTS $database.price_steps ON CLUSTER $cluster AS $database.price_steps_local
ENGINE = Distributed($cluster, $database, price_steps_local, cityHash64(gpu_name) % {shards:UInt16})
*/

-- name: machine_days
/*!
CREATE TABLE IF NOT EXISTS $database.machine_days ON CLUSTER $cluster AS $database.machine_days_local
ENGINE = Distributed($cluster, $database, machine_days_local, cityHash64(gpu_name) % {shards:UInt16})
*/

-- name: price_index
/*!
CREATE TABLE IF NOT EXISTS $database.price_index ON CLUSTER $cluster AS $database.price_index_local
ENGINE = Distributed($cluster, $database, price_index_local, 0)
*/

-- name: published_days
/*!
CREATE TABLE IF NOT EXISTS $database.published_days ON CLUSTER $cluster AS $database.published_days_local
ENGINE = Distributed($cluster, $database, published_days_local, 0)
*/

-- name: terms
/*!
CREATE TABLE IF NOT EXISTS $database.terms ON CLUSTER $cluster AS $database.terms_local
ENGINE = Distributed($cluster, $database, terms_local, cityHash64(gpu_name) % {shards:UInt16})
*/

-- name: list_prices
/*!
CREATE TABLE IF NOT EXISTS $database.list_prices ON CLUSTER $cluster AS $database.list_prices_local
ENGINE = Distributed($cluster, $database, list_prices_local, 0)
*/
