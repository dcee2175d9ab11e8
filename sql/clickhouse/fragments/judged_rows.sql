-- {{judged_rows}}: the staged rows of [from, to), one for each state of a machine, with the columns of `observations` and a verdict on each:
--   new        to be moved into the series
--   duplicate  already in the series, or an offer of a part of the same machine
--   odd        the rows of its machine contradict each other, as `fault` describes
--   contrary   contradicts rows of the series; `opposed` is an import that they came with A machine has one name, one owner and one size in a slot,
-- and its rows never have more GPUs than it. Two offers overlap if each is for all of its GPUs and their sizes differ: the largest is the machine,
-- and the smallest is the smallest part that can be rented. Two rows are the same if slot, machine, GPU name, state, price and rental type are equal.
-- An unknown rental type equals any. One row of a machine counts the machine: an available row before a rented one. If a row in the series counts it,
-- none of these does.
-- Parameters: table, source String, overlapping Bool (whether all offers of a machine overlap), from, to UInt32 (unix seconds), removed Array(UInt64)
-- (imports whose rows are ignored).
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
  host_id, country, gpu_ram, rental_type, if(is_overlap, least_gpus, judged.min_gpus) AS min_gpus, terms, specs, tier, 0 AS carried
FROM judged
