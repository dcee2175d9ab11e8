-- Moves those staged rows of [from, to) into the series that it doesn't have. A row is the same as another when slot, machine, GPU name,
-- state and price are; where offers overlap, a machine is available once, with its largest offer. One row of a machine counts it,
-- the available one before a rented one, unless a row in the series does. Safe to run again after any part of it.
-- Parameters: table, source String, overlapping Bool, from, to UInt32 (unix seconds).
INSERT INTO observations (
  slot, machine_id, gpu_name, num_gpus, gpus, machines, rented, verified, hosting_type, price, tflops, dlperf, source
)
WITH present AS (
  -- Only the staged machines, so that memory follows the file and not the series.
  SELECT slot, machine_id, gpu_name, rented, price, machines
  FROM observations
  WHERE source = {source:String} AND slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
    AND (slot, machine_id, gpu_name) /*!GLOBAL*/ IN (
      SELECT slot, machine_id, gpu_name
      FROM {table:Identifier}
      WHERE slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
    )
)
SELECT
  slot, machine_id, gpu_name, num_gpus, gpus,
  row_number() OVER (PARTITION BY slot, machine_id, gpu_name ORDER BY rented, price) = 1
    AND (slot, machine_id, gpu_name) NOT IN (SELECT slot, machine_id, gpu_name FROM present WHERE machines = 1),
  rented, verified, hosting_type, price, tflops, dlperf, {source:String}
FROM (
  SELECT *
  FROM {table:Identifier}
  WHERE slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
  ORDER BY if({overlapping:Bool}, gpus, 0) DESC, place
  LIMIT 1 BY slot, machine_id, gpu_name, rented, if({overlapping:Bool} AND NOT rented, 0, price)
)
WHERE (slot, machine_id, gpu_name, rented, if({overlapping:Bool} AND NOT rented, 0, price)) NOT IN (
  SELECT slot, machine_id, gpu_name, rented, if({overlapping:Bool} AND NOT rented, 0, price) FROM present
)
