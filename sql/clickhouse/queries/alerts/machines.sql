-- Machines in [from, to), slot by slot. Parameters: ids Array(UInt64), empty: all; from, to.
SELECT
  toUnixTimestamp(seen.slot) AS slot, machine_id AS id, gpu_name, {{filter_columns}},
  sumIf(gpus, NOT seen.rented) AS free, sumIf(gpus, seen.rented) AS rented,
  if(free = 0, NULL, toFloat64(maxIf(price, NOT seen.rented))) AS price,
  JSONExtract(max(toString(seen.terms)), 2, 'Nullable(UInt32)') AS ends
FROM observations AS seen
WHERE seen.slot >= toDateTime({from:UInt32}, 'UTC') AND seen.slot < toDateTime({to:UInt32}, 'UTC')
  AND (empty({ids:Array(UInt64)}) OR machine_id IN {ids:Array(UInt64)})
GROUP BY seen.slot, machine_id, gpu_name, {{filter_columns}}
ORDER BY seen.slot
