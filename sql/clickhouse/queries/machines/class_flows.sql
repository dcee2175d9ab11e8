-- What happened to the machines of some GPU names by class and price position. Seconds are GPU-seconds.
-- Parameters: names Array(String), from, to (whole hours).
SELECT
  gpu_name, num_gpus, verified, hosting_type, position,
  sum(flows.exposure) AS exposed_seconds,
  sum(flows.rentals) AS rented_gpus,
  sum(flows.held) AS held_seconds,
  sum(flows.returns) AS returned_gpus
FROM flows FINAL
WHERE gpu_name IN {names:Array(String)}
  AND hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC')
GROUP BY gpu_name, num_gpus, verified, hosting_type, position
