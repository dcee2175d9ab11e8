-- Machines of some GPU names on the market by day of [from, to), and their GPUs. Parameters: names Array(String), from, to (starts of days).
SELECT gpu_name, toUnixTimestamp(toDateTime(seen.day, 'UTC')) AS day, count() AS machines, sum(num_gpus) AS gpus
FROM machine_days AS seen FINAL
WHERE gpu_name IN {names:Array(String)}
  AND seen.day >= toDate(toDateTime({from:UInt32}, 'UTC')) AND seen.day < toDate(toDateTime({to:UInt32}, 'UTC'))
GROUP BY gpu_name, seen.day
ORDER BY gpu_name, seen.day
