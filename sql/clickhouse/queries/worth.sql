-- name: machines
-- Machines of the 30 days before `to`, with sums over their days, the last known specs, place and tier. Parameters: to (start of a day); gpu_name (empty:
-- all); the filters of the market.
WITH
  toDate(toDateTime({to:UInt32}, 'UTC')) AS end,
  ({{last_slots_of_days}}) AS last_slots
SELECT
  gpu_name, memory, rig, host, is_verified, is_datacenter, days, rented, avail, paid, asked,
  toString(country) AS country, toString(tier) AS tier, specs
FROM (
  SELECT
    gpu_name, machine_id,
    argMax(gpu_memory, day) AS memory, argMax(num_gpus, day) AS rig, argMax(({{host_of_machine}}), day) AS host,
    argMax(verified = 'yes', day) AS is_verified, argMax({{is_datacenter}}, day) AS is_datacenter,
    uniqExact(day) AS days, sum(rented_gpus) AS rented, sum(avail_gpus) AS avail,
    toFloat64(sum(rented_value)) AS paid, toFloat64(sum(avail_value)) AS asked
  FROM machine_days FINAL
  WHERE day >= end - 30 AND day < end
    AND ({gpu_name:String} = '' OR gpu_name = {gpu_name:String})
    AND {{filter_machine_days}}
  GROUP BY gpu_name, machine_id
) AS of_machine
LEFT JOIN (
  SELECT gpu_name, machine_id, argMax(country, slot) AS country, argMax(tier, slot) AS tier
  FROM observations
  WHERE slot IN (SELECT arrayJoin(last_slots)) AND ({gpu_name:String} = '' OR gpu_name = {gpu_name:String})
  GROUP BY gpu_name, machine_id
) AS seen USING (gpu_name, machine_id)
LEFT JOIN (
  SELECT
    gpu_name, machine_id,
    argMax((
      inet_up, inet_down, disk_bw, disk_space, cpu_cores_effective, cpu_ram, pcie_bw, gpu_mem_bw, direct_port_count, cuda_max_good, static_ip
    ), slot) AS specs
  FROM specs FINAL
  WHERE slot < toDateTime({to:UInt32}, 'UTC') AND ({gpu_name:String} = '' OR gpu_name = {gpu_name:String})
  GROUP BY gpu_name, machine_id
) AS last_specs USING (gpu_name, machine_id)
ORDER BY gpu_name, machine_id
