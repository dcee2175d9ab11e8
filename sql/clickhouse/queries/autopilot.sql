-- name: asks
-- The available GPUs of some GPU names at a slot, machine by machine, cheapest first. An unknown host is 0. Parameters: names
-- Array(String), slot (unix seconds).
SELECT
  gpu_name, machine_id AS id, toUInt64(ifNull(host_id, 0)) AS host, verified, toString(seen.hosting_type) AS hosting_type,
  gpu_memory,
  toFloat64(seen.price) AS price, toUInt32(sum(gpus)) AS gpus
FROM observations AS seen
WHERE gpu_name IN {names:Array(String)} AND seen.slot = toDateTime({slot:UInt32}, 'UTC') AND NOT rented
GROUP BY gpu_name, machine_id, host_id, verified, seen.hosting_type, gpu_memory, seen.price
ORDER BY seen.price, machine_id
