-- GPUs that were available at a price or less, summed over the slots of the hour, by GPU name and hour; none without such GPUs. Parameters: names
-- Array(String), prices Array(Float64) (one for each of the names), the filters, from, to (whole hours).
SELECT gpu_name, toUnixTimestamp(hour) AS at, sum(gpus) AS summed
FROM price_histogram FINAL
WHERE hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC')
  AND NOT rented
  AND gpu_name IN {names:Array(String)}
  AND toFloat64(price) <= {prices:Array(Float64)}[indexOf({names:Array(String)}, gpu_name)]
  AND {{filter_machines}}
GROUP BY gpu_name, at
