-- Moves those staged rows of [from, to) into the series that aren't there yet. A machine is available at one price at a time: of several
-- such offers the largest stands for it, the others are the same GPUs again. One row of a machine counts it, the available one before a
-- rented one. Safe to run again. Parameters: table, source, from, to.
INSERT INTO observations (
  slot, machine_id, gpu_name, num_gpus, gpus, machines, rented, verified, hosting_type, price, tflops, dlperf, source
)
WITH present AS (
  SELECT slot, machine_id, gpu_name, rented, price, machines
  FROM observations
  WHERE source = {source:String} AND slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
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
  ORDER BY gpus DESC, line
  LIMIT 1 BY slot, machine_id, gpu_name, rented, if(rented, price, 0)
)
WHERE (slot, machine_id, gpu_name, rented, if(rented, price, 0)) NOT IN (
  SELECT slot, machine_id, gpu_name, rented, if(rented, price, 0) FROM present
)
