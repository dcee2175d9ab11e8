-- name: leftovers
-- Staging tables of imports, those of killed ones among them.
SELECT name FROM system.tables WHERE database = currentDatabase() AND startsWith(name, 'import_stage_')

-- name: move_new
-- Moves the new rows of an import into the series. Safe to run again after any part of it. Parameters: those of `new_rows`.
INSERT INTO observations (
  {{observation_columns}}
)
$new_rows

-- name: new_hours
-- How many new rows an import has, hour by hour. Parameters: those of `new_rows`.
SELECT toUnixTimestamp(toStartOfHour(slot)) AS hour, count() AS observations, uniqExact(slot) AS slots
FROM (
  $new_rows
)
GROUP BY hour
ORDER BY hour

-- name: new_rows
-- Those staged rows of [from, to) that the series does not have, with the columns of `observations`. A row is the same as another one when
-- slot, machine, GPU name, state, price and rental type are; a rental type that either of them does not know is that of the other. Where
-- offers overlap, a machine is available once, with its largest offer, and its smallest offer is the smallest part that can be rented.
-- One row of a machine counts it, the available one before a rented one, unless a row in the series does.
-- Part of `move_new` and `new_hours`. Parameters: table, source String, overlapping Bool, from, to UInt32 (unix seconds).
WITH
  present AS (
    -- Only the staged machines, so that memory follows the file and not the series.
    SELECT slot, machine_id, gpu_name, rented, if({overlapping:Bool} AND NOT rented, 0, price) AS price_key, machines, rental_type
    FROM observations
    WHERE source = {source:String} AND slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
      AND (slot, machine_id, gpu_name) /*!GLOBAL*/ IN (
        SELECT slot, machine_id, gpu_name
        FROM {table:Identifier}
        WHERE slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
      )
  ),
  known AS (
    -- Each row under its own rental type, and under 'any' for a staged row that does not know its own.
    SELECT
      slot, machine_id, gpu_name, rented, price_key,
      arrayJoin(if(rental_type = 'unknown', ['unknown'], [toString(rental_type), 'any'])) AS type
    FROM present
  ),
  staged AS (
    SELECT
      * EXCEPT (min_gpus), if({overlapping:Bool} AND NOT rented, 0, price) AS price_key,
      if({overlapping:Bool}, min(gpus) OVER (PARTITION BY slot, machine_id, gpu_name), min_gpus) AS min_gpus
    FROM {table:Identifier}
    WHERE slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
    ORDER BY if({overlapping:Bool}, gpus, 0) DESC, place
    LIMIT 1 BY slot, machine_id, gpu_name, rented, price_key, rental_type
  )
SELECT
  slot, machine_id, gpu_name, num_gpus, gpus,
  row_number() OVER (PARTITION BY slot, machine_id, gpu_name ORDER BY rented, price, rental_type) = 1
    AND (slot, machine_id, gpu_name) NOT IN (SELECT slot, machine_id, gpu_name FROM present WHERE machines = 1) AS machines,
  rented, verified, hosting_type, price, tflops, dlperf, {source:String} AS source,
  host_id, country, gpu_ram, rental_type, min_gpus, terms
FROM staged
WHERE (slot, machine_id, gpu_name, rented, price_key, if(rental_type = 'unknown', 'any', toString(rental_type))) NOT IN (SELECT * FROM known)
  AND (slot, machine_id, gpu_name, rented, price_key, 'unknown') NOT IN (SELECT * FROM known)

-- name: stage
-- A table of its own for the rows of one import, until it is known which of them are new. Parameters: table.
CREATE TABLE {table:Identifier} (
  place        UInt64,                 -- of the row in the import
  slot         DateTime('UTC'),
  machine_id   UInt64,
  gpu_name     LowCardinality(String),
  num_gpus     UInt16,
  gpus         UInt16,
  rented       Bool,
  verified     Bool,
  hosting_type Enum8('unknown' = 0, 'community' = 1, 'secure_cloud' = 2),
  price        Decimal(18, 9),
  tflops       Nullable(Float64),
  dlperf       Nullable(Float64),
  host_id      Nullable(UInt64),
  country      LowCardinality(String),
  gpu_ram      Nullable(UInt32),
  rental_type  Enum8('unknown' = 0, 'on_demand' = 1, 'reserved' = 2, 'interruptible' = 3),
  min_gpus     Nullable(UInt16),
  terms        String
) ENGINE = MergeTree
ORDER BY (slot, machine_id)

-- name: staged_hours
-- What was staged, hour by hour. Parameters: table.
SELECT toUnixTimestamp(toStartOfHour(slot)) AS hour, count() AS observations, uniqExact(slot) AS slots
FROM {table:Identifier}
GROUP BY hour
ORDER BY hour
