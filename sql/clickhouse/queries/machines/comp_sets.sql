-- The machines of some GPU names by class and host in [from, to): how many, and their GPUs and money summed over the slots. Machines whose
-- host is not known count as of one host. Parameters: names Array(String), from, to.
SELECT
  gpu_name, {{filter_columns}}, toUInt64(ifNull(host_id, 0)) AS host,
  uniqExact(machine_id) AS machines,
  sum(gpus) AS all_gpus,
  sumIf(gpus, rented) AS rented_gpus,
  toFloat64(sumIf(toDecimal128(price, 9) * gpus, rented)) AS value
FROM observations
WHERE gpu_name IN {names:Array(String)} AND slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
GROUP BY gpu_name, {{filter_columns}}, host
