-- What happened to machines per hour, class of machines and price position, the cells of which any fill rate can be made. It names no machine
-- and no account. GPU-hours. Counts are signed: readers subtract them. Parameters: from, to (whole hours).
SELECT
  toDateTime64(hour, 3, 'UTC') AS time,
  toString(f.gpu_name) AS gpu_name, toInt64(num_gpus) AS num_gpus, verified, toString(f.hosting_type) AS hosting_type,
  nullIf(toInt64(gpu_memory), 0) AS gpu_memory,
  if(position = 10, NULL, toInt64(position)) AS position,
  exposure / 3600 AS exposure_gpu_hours,
  toInt64(f.rentals) AS rentals, toInt64(f.withdrawn) AS withdrawn,
  held / 3600 AS held_gpu_hours,
  toInt64(f.returns) AS returns,
  toFloat64(f.price_low) AS price_low, toFloat64(f.price_high) AS price_high
FROM flows AS f FINAL
WHERE hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC')
ORDER BY time, gpu_name, num_gpus, verified, hosting_type, f.gpu_memory, f.position
