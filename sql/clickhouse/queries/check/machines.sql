-- Sources whose rows of [from, to) give a machine more GPUs in a slot than it has, or two names: how many slots and machines, the first of them, and the
-- imports that these rows came with. Parameters: from, to.
SELECT
  source, toUnixTimestamp(min(slot)) AS first, toUnixTimestamp(max(slot)) AS last, uniqExact(slot) AS slots, uniqExact(machine_id) AS machines,
  argMin((machine_id, found, size), slot) AS example, arraySort(groupUniqArrayArray(10)(ids)) AS imports
FROM (
  SELECT slot, source, machine_id, sum(gpus) AS found, max(num_gpus) AS size, groupUniqArray(import_id) AS ids
  FROM observations
  WHERE slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
  GROUP BY slot, source, machine_id
  HAVING found > size OR min(gpu_name) != max(gpu_name)
)
GROUP BY source
ORDER BY source
