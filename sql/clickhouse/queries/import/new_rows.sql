-- Those staged rows of [from, to) that the series does not have, with the columns of `observations`. A row is the same as another one when
-- slot, machine, GPU name, state and price are; where offers overlap, a machine is available once, with its largest offer. One row of a
-- machine counts it, the available one before a rented one, unless a row in the series does. Part of move_new.sql and new_hours.sql.
-- Parameters: table, source String, overlapping Bool, from, to UInt32 (unix seconds).
WITH
  present AS (
    -- Only the staged machines, so that memory follows the file and not the series.
    SELECT slot, machine_id, gpu_name, rented, if({overlapping:Bool} AND NOT rented, 0, price) AS price_key, machines
    FROM observations
    WHERE source = {source:String} AND slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
      AND (slot, machine_id, gpu_name) /*!GLOBAL*/ IN (
        SELECT slot, machine_id, gpu_name
        FROM {table:Identifier}
        WHERE slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
      )
  ),
  staged AS (
    SELECT *, if({overlapping:Bool} AND NOT rented, 0, price) AS price_key
    FROM {table:Identifier}
    WHERE slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
    ORDER BY if({overlapping:Bool}, gpus, 0) DESC, place
    LIMIT 1 BY slot, machine_id, gpu_name, rented, price_key
  )
SELECT
  slot, machine_id, gpu_name, num_gpus, gpus,
  row_number() OVER (PARTITION BY slot, machine_id, gpu_name ORDER BY rented, price) = 1
    AND (slot, machine_id, gpu_name) NOT IN (SELECT slot, machine_id, gpu_name FROM present WHERE machines = 1) AS machines,
  rented, verified, hosting_type, price, tflops, dlperf, {source:String} AS source
FROM staged
WHERE (slot, machine_id, gpu_name, rented, price_key) NOT IN (
  SELECT slot, machine_id, gpu_name, rented, price_key FROM present
)
