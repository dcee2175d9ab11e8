-- name: contrary_rows
-- The imports that rows of an import contradict, and the first such row. Parameters: as for `judged_rows`.
SELECT opposed AS import_id, count() AS observations, argMin(file, place) AS file, argMin(line, place) AS line
FROM (
  {{judged_rows}}
)
WHERE verdict = 'contrary'
GROUP BY import_id
ORDER BY observations DESC

-- name: count_machines
-- Prepares the removal of an import: where only its row counts a machine of [from, to), another row counts it from now on, an available row before a
-- rented one.
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
-- The number of rows, the first slot and the last slot of each import in the series. Parameters: import Array(UInt64), empty: all; source: '' for
-- any.
SELECT source, import_id, count() AS observations, toUnixTimestamp(min(slot)) AS from_slot, toUnixTimestamp(max(slot)) AS to_slot
FROM observations
WHERE source NOT IN ('market', 'simulated') AND (empty({imports:Array(UInt64)}) OR has({imports:Array(UInt64)}, import_id))
  AND ({source:String} = '' OR source = {source:String})
GROUP BY source, import_id
ORDER BY from_slot, source, import_id

-- name: judged_hours
-- The number of new, odd and contrary rows of an import, hour by hour and file by file. Parameters: as for `judged_rows`.
SELECT
  toUnixTimestamp(toStartOfHour(slot)) AS hour, file, countIf(verdict = 'new') AS observations,
  countIf(verdict = 'odd') AS odd, countIf(verdict = 'contrary') AS contrary
FROM (
  {{judged_rows}}
)
GROUP BY hour, file
ORDER BY hour, file

-- name: leftovers
-- Staging tables of imports that were ended. Parameters: kept Array(String), tables whose rows are still to be moved.
SELECT name FROM system.tables WHERE database = currentDatabase() AND startsWith(name, 'import_stage_') AND NOT has({kept:Array(String)}, name)

-- name: move_new
-- Moves the new rows of an import into the series. May be repeated after a partial run. It does nothing when the newest slot was entered with a newer
-- revision: then the writer has lost the series to another one.
-- Parameters: as for `judged_rows`, revision, imports Array(UInt64) (the import of each file).
INSERT INTO observations (
  {{observation_columns}}, import_id
)
SELECT
  {{observation_columns}}, {imports:Array(UInt64)}[file + 1]
FROM (
  {{judged_rows}}
)
WHERE verdict = 'new' AND {revision:UInt64} > (SELECT max(revision) FROM slots)

-- name: odd_rows
-- The first rows of an import that are left out as faulty, in file order. Parameters: as for `judged_rows`, most.
SELECT file, line, fault AS reason
FROM (
  {{judged_rows}}
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
  hosting_type Enum8('unknown' = 0, {{hosting_types}}),
  price        Decimal(18, 9),
  tflops       Nullable(Float64),
  dlperf       Nullable(Float64),
  host_id      Nullable(UInt64),
  country      LowCardinality(String),
  gpu_ram      Nullable(UInt32),
  rental_type  Enum8('unknown' = 0, 'on_demand' = 1, 'reserved' = 2, 'interruptible' = 3),
  min_gpus     Nullable(UInt16),
  terms        String,
  specs        String,
  tier         Enum8('unknown' = 0, 'verified' = 1, 'unverified' = 2, 'deverified' = 3)
) ENGINE = MergeTree
ORDER BY (slot, machine_id)

-- name: staged_hours
-- Number of staged rows, hour by hour. Parameters: table.
SELECT toUnixTimestamp(toStartOfHour(slot)) AS hour, count() AS observations, uniqExact(slot) AS slots
FROM {table:Identifier}
GROUP BY hour
ORDER BY hour

-- name: taken_by_name
-- The GPUs that an import would add, by GPU name: machines and GPUs are sums over the slots. Parameters: as for `judged_rows`.
SELECT
  gpu_name, uniqExact(slot) AS slots, toUnixTimestamp(min(slot)) AS first, toUnixTimestamp(max(slot)) AS last,
  sum(machines) AS machines, sum(gpus) AS gpus, toFloat64(min(price)) AS lowest, toFloat64(max(price)) AS highest
FROM (
  {{judged_rows}}
)
WHERE verdict = 'new'
GROUP BY gpu_name
ORDER BY gpu_name

-- name: taken_by_slot
-- The GPUs that an import would add, by slot and GPU name. Parameters: as for `judged_rows`, most.
SELECT
  toUnixTimestamp(slot) AS slot, gpu_name, sum(machines) AS machines, sum(gpus) AS gpus,
  toFloat64(min(price)) AS lowest, toFloat64(max(price)) AS highest
FROM (
  {{judged_rows}}
)
WHERE verdict = 'new'
GROUP BY slot, gpu_name
ORDER BY slot, gpu_name
LIMIT {most:UInt32}

-- name: uncounted
-- One row if [from, to) has a machine that is counted only by a row of the import although other rows of the machine exist.
-- Parameters: source, import, from, to.
SELECT 1 AS uncounted
FROM observations
WHERE source = {source:String} AND slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
GROUP BY slot, machine_id
HAVING max(import_id != {import:UInt64}) AND NOT max(import_id != {import:UInt64} AND machines = 1)
LIMIT 1
