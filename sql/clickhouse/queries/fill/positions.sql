-- What happened in each price position: one row per GPU name and position. Seconds are GPU-seconds.
-- Parameters: names Array(String), verified, hosting_type, num_gpus, from, to (whole hours).
SELECT
  gpu_name, position,
  sum(flows.exposure) AS exposed_seconds,
  sum(flows.rentals) AS rented_gpus,
  sum(flows.withdrawn) AS withdrawn_gpus,
  sum(flows.held) AS held_seconds,
  sum(flows.returns) AS returned_gpus,
  min(flows.price_low) AS lowest,
  max(flows.price_high) AS highest
FROM flows FINAL
WHERE gpu_name IN {names:Array(String)}
  AND hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC')
  AND ({verified:String} = 'all' OR verified = ({verified:String} = 'yes'))
  AND ({hosting_type:String} = 'all' OR hosting_type = {hosting_type:String})
  AND ({num_gpus:UInt16} = 0 OR num_gpus = {num_gpus:UInt16})
GROUP BY gpu_name, position
ORDER BY gpu_name, position
