-- What happened to each class of machines, hour by hour or, without `hourly`, over all of them. Seconds are GPU-seconds.
-- Parameters: names Array(String), empty: all; from, to (whole hours), hourly.
SELECT
  if({hourly:Bool}, toUnixTimestamp(hour), 0) AS start, gpu_name, {{filter_columns}},
  sum(flows.exposure) AS exposed_seconds, sum(flows.rentals) AS rented_gpus
FROM flows FINAL
WHERE hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC')
  AND (empty({names:Array(String)}) OR gpu_name IN {names:Array(String)})
GROUP BY start, gpu_name, {{filter_columns}}
