-- What happened in each price position: one row per GPU name and position. Seconds are GPU-seconds. The variances are of the counts from
-- hour to hour and class to class: Σ (count - rate × seconds)². GPUs that are rented at once make it larger than the count.
-- Parameters: names Array(String), the filters, from, to (whole hours).
SELECT
  gpu_name, position,
  sum(flows.exposure) AS exposed_seconds,
  sum(flows.rentals) AS rented_gpus,
  rented_gpus / greatest(1, exposed_seconds) AS rented_rate,
  sum(pow(flows.rentals, 2)) - 2 * rented_rate * sum(toFloat64(flows.rentals) * flows.exposure)
    + pow(rented_rate, 2) * sum(pow(flows.exposure, 2)) AS rented_variance,
  sum(flows.withdrawn) AS withdrawn_gpus,
  sum(flows.held) AS held_seconds,
  sum(flows.returns) AS returned_gpus,
  returned_gpus / greatest(1, held_seconds) AS returned_rate,
  sum(pow(flows.returns, 2)) - 2 * returned_rate * sum(toFloat64(flows.returns) * flows.held)
    + pow(returned_rate, 2) * sum(pow(flows.held, 2)) AS returned_variance,
  min(flows.price_low) AS lowest,
  max(flows.price_high) AS highest
FROM flows FINAL
WHERE gpu_name IN {names:Array(String)}
  AND hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC')
  AND {{filter_machines}}
GROUP BY gpu_name, position
ORDER BY gpu_name, position
