-- Keys of rows of one published day that differ from what the observations give: changed, missing or left over. Parameters: day (its start).
SELECT DISTINCT table, gpu_name, {day:UInt32} AS day
FROM (
  SELECT 'machine_days' AS table, toString(gpu_name) AS gpu_name, toString(tuple(machine_id, num_gpus, slots, avail_gpus, avail_value)) AS content, 1 AS side
  FROM machine_days FINAL
  WHERE day = toDate(toDateTime({day:UInt32}, 'UTC'))
  UNION ALL
  SELECT 'machine_days', toString(gpu_name), toString(tuple(machine_id, num_gpus, slots, avail_gpus, avail_value)), -1
  FROM machine_day_rows(day = {day:UInt32})
  UNION ALL
  SELECT 'price_index', toString(gpu_name), toString(tuple(machines, matched_share, ln_link, machines_28, matched_share_28, ln_link_28, hash)), 1
  FROM price_index FINAL
  WHERE day = toDate(toDateTime({day:UInt32}, 'UTC'))
  ORDER BY edition DESC
  LIMIT 1 BY gpu_name
  UNION ALL
  SELECT 'price_index', toString(gpu_name), toString(tuple(machines, matched_share, ln_link, machines_28, matched_share_28, ln_link_28, hash)), -1
  FROM price_index_rows(day = {day:UInt32})
)
GROUP BY table, gpu_name, content
HAVING sum(side) != 0
ORDER BY ALL
