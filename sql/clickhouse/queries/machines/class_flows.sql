-- What happened to the machines of some GPU names, or without names to those of all of them together, by class and price position. Seconds are GPU-seconds. The variances are of the counts from
-- hour to hour: Σ (count - rate × seconds)². GPUs that are rented at once make it larger than the count.
-- Parameters: names Array(String), from, to (whole hours).
SELECT
  if(empty({names:Array(String)}), '', flows.gpu_name) AS gpu_name, {{filter_columns}}, position,
  sum(flows.exposure) AS exposed_seconds,
  sum(flows.rentals) AS rented_gpus,
  rented_gpus / greatest(1, exposed_seconds) AS rented_rate,
  sum(pow(flows.rentals, 2)) - 2 * rented_rate * sum(toFloat64(flows.rentals) * flows.exposure)
    + pow(rented_rate, 2) * sum(pow(flows.exposure, 2)) AS rented_variance,
  sum(flows.held) AS held_seconds,
  sum(flows.returns) AS returned_gpus,
  returned_gpus / greatest(1, held_seconds) AS returned_rate,
  sum(pow(flows.returns, 2)) - 2 * returned_rate * sum(toFloat64(flows.returns) * flows.held)
    + pow(returned_rate, 2) * sum(pow(flows.held, 2)) AS returned_variance
FROM flows FINAL
WHERE (empty({names:Array(String)}) OR flows.gpu_name IN {names:Array(String)})
  AND hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC')
GROUP BY gpu_name, {{filter_columns}}, position
