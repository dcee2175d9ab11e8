-- name: contrary_rows
-- The imports that rows of an import contradict, and the first such row. Parameters: those of `judged_rows`.
SELECT opposed AS import_id, count() AS observations, argMin(file, place) AS file, argMin(line, place) AS line
FROM (
  $judged_rows
)
WHERE verdict = 'contrary'
GROUP BY import_id
ORDER BY observations DESC

-- name: count_machines
-- Before an import is removed: lets another row of each machine of [from, to) count it where only the import does, the available one before a rented one.
-- Parameters: source, import, from, to.
ALTER TABLE /*!$database.*/observations/*!_local ON CLUSTER $cluster*/
UPDATE machines = 1
WHERE source = {source:String} AND slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
  AND import_id != {import:UInt64}
  AND (slot, machine_id, gpu_name, rented, price, rental_type) IN (
    SELECT slot, machine_id, gpu_name, rented, price, rental_type
    FROM (
      SELECT *, max(machines) OVER (PARTITION BY slot, machine_id) AS counted
      FROM /*!$database.*/observations
      WHERE source = {source:String} AND slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
        AND import_id != {import:UInt64}
    )
    WHERE counted = 0
    ORDER BY rented, price, rental_type
    LIMIT 1 BY slot, machine_id
  )
SETTINGS mutations_execute_subqueries_on_initiator = 1

-- name: hours_of
-- The rows of an import in the series, hour by hour. Parameters: source, import.
SELECT toUnixTimestamp(toStartOfHour(slot)) AS hour, count() AS observations
FROM observations
WHERE source = {source:String} AND import_id = {import:UInt64}
GROUP BY hour
ORDER BY hour

-- name: imports
-- The imported rows that the series has, by the import that they came with. Parameters: import Array(UInt64), empty: all; source: '' for any.
SELECT source, import_id, count() AS observations, toUnixTimestamp(min(slot)) AS from_slot, toUnixTimestamp(max(slot)) AS to_slot
FROM observations
WHERE source NOT IN ('market', 'simulated') AND (empty({imports:Array(UInt64)}) OR has({imports:Array(UInt64)}, import_id))
  AND ({source:String} = '' OR source = {source:String})
GROUP BY source, import_id
ORDER BY from_slot, source, import_id

-- name: judged_hours
-- What becomes of the rows of an import, hour by hour and file by file. Parameters: those of `judged_rows`.
SELECT
  toUnixTimestamp(toStartOfHour(slot)) AS hour, file, countIf(verdict = 'new') AS observations,
  countIf(verdict = 'odd') AS odd, countIf(verdict = 'contrary') AS contrary
FROM (
  $judged_rows
)
GROUP BY hour, file
ORDER BY hour, file

-- name: judged_rows
-- The staged rows of [from, to), one for each state of a machine, with the columns of `observations` and what becomes of each:
--   new        it is moved into the series
--   duplicate  the series has it, or it offers a part of the same machine
--   odd        the rows of its machine contradict each other; `fault` says how
--   contrary   it contradicts rows of the series, of which `opposed` is an import
-- A machine has one name, one owner and one size in a slot, and its rows never have more GPUs than it. Offers that are each for all of their GPUs and
-- are of different sizes overlap: the largest is the machine, and the smallest is the smallest part that can be rented. A row is the same as another one
-- when slot, machine, GPU name, state, price and rental type are; a rental type that either of them does not know is that of the other.
-- One row of a machine counts it, the available one before a rented one, unless a row in the series does.
-- Part of the other statements here. Parameters: table, source String, overlapping Bool (whether all offers of a machine overlap), from, to UInt32
-- (unix seconds), removed Array(UInt64) (imports whose rows are taken to be gone).
WITH
  present AS (
    -- Only rows of the staged machines, so that memory depends on the file and not on the series.
    SELECT
      slot, machine_id, gpu_name, num_gpus, gpus, machines, rented, host_id, rental_type, import_id,
      if({overlapping:Bool} AND NOT rented, 0, price) AS price_key
    FROM observations
    WHERE source = {source:String} AND slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
      AND NOT has({removed:Array(UInt64)}, import_id)
      AND (slot, machine_id) /*!GLOBAL*/ IN (
        SELECT slot, machine_id
        FROM {table:Identifier}
        WHERE slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
      )
  ),
  known AS (
    -- Each row with its own rental type, and with 'any' for staged rows of an unknown type.
    SELECT
      slot, machine_id, gpu_name, rented, price_key,
      arrayJoin(if(rental_type = 'unknown', ['unknown'], [toString(rental_type), 'any'])) AS type
    FROM present
  ),
  there AS (
    SELECT
      slot, machine_id, min(gpu_name) AS first_name, max(gpu_name) AS last_name, min(num_gpus) AS least_size, max(num_gpus) AS most_size,
      min(host_id) AS first_host, max(host_id) AS last_host, sum(gpus) AS gpus_there, min(NOT rented AND gpus = num_gpus) AS is_whole,
      max(machines) AS is_counted, max(import_id) AS opposed
    FROM present
    GROUP BY slot, machine_id
  ),
  staged AS (
    SELECT *
    FROM (
      SELECT *, max(rental_type) OVER (PARTITION BY slot, machine_id, gpu_name, num_gpus, gpus, rented, price) AS known_type
      FROM {table:Identifier}
      WHERE slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
    )
    WHERE rental_type != 'unknown' OR known_type = 'unknown'
    ORDER BY place
    LIMIT 1 BY slot, machine_id, gpu_name, num_gpus, gpus, rented, price, rental_type
  ),
  measured AS (
    SELECT
      *,
      min(gpu_name) OVER (PARTITION BY slot, machine_id) != max(gpu_name) OVER (PARTITION BY slot, machine_id) AS has_names,
      ifNull(min(host_id) OVER (PARTITION BY slot, machine_id) != max(host_id) OVER (PARTITION BY slot, machine_id), false) AS has_hosts,
      min(num_gpus) OVER (PARTITION BY slot, machine_id) != max(num_gpus) OVER (PARTITION BY slot, machine_id) AS has_sizes,
      {overlapping:Bool} OR (has_sizes AND min(NOT rented AND gpus = num_gpus) OVER (PARTITION BY slot, machine_id)) AS is_overlap,
      sum(gpus) OVER (PARTITION BY slot, machine_id) AS all_gpus,
      max(gpus) OVER (PARTITION BY slot, machine_id) AS most_gpus,
      min(gpus) OVER (PARTITION BY slot, machine_id) AS least_gpus,
      row_number() OVER (PARTITION BY slot, machine_id ORDER BY gpus DESC, place) AS rank,
      count() OVER (PARTITION BY slot, machine_id, gpu_name, rented, price, rental_type) AS repeats
    FROM staged
  ),
  faulted AS (
    SELECT
      *,
      multiIf(
        has_names, 'a machine is listed twice, with different values of gpu_name',
        has_hosts, 'a machine is listed twice, with different values of host_id',
        has_sizes AND NOT is_overlap, 'a machine is listed twice, with different values of num_gpus',
        is_overlap AND NOT {overlapping:Bool} AND sum(gpus = most_gpus) OVER (PARTITION BY slot, machine_id) > 1,
        'the rows of a machine have more GPUs than the machine',
        max(repeats) OVER (PARTITION BY slot, machine_id) > 1 AND NOT is_overlap, 'a machine is there twice, with different values of gpus',
        all_gpus > num_gpus AND NOT is_overlap, 'the rows of a machine have more GPUs than the machine',
        ''
      ) AS fault
    FROM measured
  ),
  compared AS (
    SELECT
      *,
      if({overlapping:Bool} AND NOT rented, 0, price) AS price_key,
      fault = '' AND NOT (is_overlap AND rank > 1)
        AND (slot, machine_id, gpu_name, rented, price_key, if(rental_type = 'unknown', 'any', toString(rental_type))) NOT IN (SELECT * FROM known)
        AND (slot, machine_id, gpu_name, rented, price_key, 'unknown') NOT IN (SELECT * FROM known) AS is_candidate
    FROM faulted
    LEFT JOIN there USING (slot, machine_id)
  ),
  judged AS (
    SELECT
      *,
      multiIf(
        fault != '', 'odd',
        NOT is_candidate, 'duplicate',
        gpus_there = 0, 'new',
        NOT rented AND gpus = num_gpus AND is_whole AND first_name = gpu_name AND last_name = gpu_name
          AND least_size = most_size AND num_gpus < least_size, 'duplicate',
        first_name != gpu_name OR last_name != gpu_name OR least_size != num_gpus OR most_size != num_gpus
          OR ifNull(first_host != host_id OR last_host != host_id, false)
          OR gpus_there + sum(if(is_candidate, gpus, 0)) OVER (PARTITION BY slot, machine_id) > num_gpus, 'contrary',
        'new'
      ) AS verdict
    FROM compared
  )
SELECT
  place, file, line, verdict, fault, opposed, slot, machine_id, gpu_name, num_gpus, gpus,
  NOT is_counted AND row_number() OVER (PARTITION BY verdict, slot, machine_id ORDER BY rented, price, rental_type) = 1 AS machines,
  rented, verified, hosting_type, price, tflops, dlperf, {source:String} AS source,
  host_id, country, gpu_ram, rental_type, if(is_overlap, least_gpus, judged.min_gpus) AS min_gpus, terms
FROM judged

-- name: leftovers
-- Staging tables of imports that were ended. Parameters: kept Array(String), tables whose rows are still to be moved.
SELECT name FROM system.tables WHERE database = currentDatabase() AND startsWith(name, 'import_stage_') AND NOT has({kept:Array(String)}, name)

-- name: move_new
-- Moves the new rows of an import into the series. Safe to run again after any part of it. It does nothing when the newest slot was entered with a newer
-- revision: then the writer has lost the series to another one.
-- Parameters: those of `judged_rows`, revision, imports Array(UInt64) (the import of each file).
INSERT INTO observations (
  {{observation_columns}}, import_id
)
SELECT
  {{observation_columns}}, {imports:Array(UInt64)}[file + 1]
FROM (
  $judged_rows
)
WHERE verdict = 'new' AND {revision:UInt64} > (SELECT max(revision) FROM slots)

-- name: odd_rows
-- The first rows of an import that are left out, in their order. Parameters: those of `judged_rows`, most.
SELECT file, line, fault AS reason
FROM (
  $judged_rows
)
WHERE verdict = 'odd'
ORDER BY place
LIMIT {most:UInt32}

-- name: remove
-- Removes the rows of an import, unless the newest slot was entered with a newer revision: then the writer has lost the series to another one.
-- Parameters: source, import, revision.
DELETE FROM /*!$database.*/observations/*!_local ON CLUSTER $cluster*/
WHERE source = {source:String} AND import_id = {import:UInt64}
  AND {revision:UInt64} > (SELECT max(s.revision) FROM /*!$database.*/slots AS s)
SETTINGS mutations_execute_subqueries_on_initiator = 1

-- name: stage
-- A table for the rows of one import, until new ones are found. Parameters: table.
CREATE TABLE {table:Identifier} (
  place        UInt64,                 -- place of the row in the import
  file         UInt16,                 -- its number in the import, from 0
  line         UInt32,                 -- of the row in its file
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
-- Number of staged rows, hour by hour. Parameters: table.
SELECT toUnixTimestamp(toStartOfHour(slot)) AS hour, count() AS observations, uniqExact(slot) AS slots
FROM {table:Identifier}
GROUP BY hour
ORDER BY hour

-- name: taken_by_name
-- What an import would add, by GPU name: machines and GPUs are sums over the slots. Parameters: those of `judged_rows`.
SELECT
  gpu_name, uniqExact(slot) AS slots, toUnixTimestamp(min(slot)) AS first, toUnixTimestamp(max(slot)) AS last,
  sum(machines) AS machines, sum(gpus) AS gpus, toFloat64(min(price)) AS lowest, toFloat64(max(price)) AS highest
FROM (
  $judged_rows
)
WHERE verdict = 'new'
GROUP BY gpu_name
ORDER BY gpu_name

-- name: taken_by_slot
-- What an import would add, by slot and GPU name. Parameters: those of `judged_rows`, most.
SELECT
  toUnixTimestamp(slot) AS slot, gpu_name, sum(machines) AS machines, sum(gpus) AS gpus,
  toFloat64(min(price)) AS lowest, toFloat64(max(price)) AS highest
FROM (
  $judged_rows
)
WHERE verdict = 'new'
GROUP BY slot, gpu_name
ORDER BY slot, gpu_name
LIMIT {most:UInt32}

-- name: uncounted
-- One row when [from, to) has a machine that only an import counts, and of which there are rows of another one.
-- Parameters: source, import, from, to.
SELECT 1 AS uncounted
FROM observations
WHERE source = {source:String} AND slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
GROUP BY slot, machine_id
HAVING max(import_id != {import:UInt64}) AND NOT max(import_id != {import:UInt64} AND machines = 1)
LIMIT 1
