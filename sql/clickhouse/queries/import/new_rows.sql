-- Those staged rows of [from, to) that the series does not have, with the columns of `observations`. A row is the same as another one when
-- slot, machine, GPU name, state, price and rental type are; a rental type that either of them does not know is that of the other. Where
-- offers overlap, a machine is available once, with its largest offer, and its smallest offer is the smallest part that can be rented.
-- One row of a machine counts it, the available one before a rented one, unless a row in the series does.
-- Part of move_new.sql and new_hours.sql. Parameters: table, source String, overlapping Bool, from, to UInt32 (unix seconds).
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
