-- name: available
-- GPUs that were available at a price or less, summed over the slots of the hour, by GPU name and hour. Hours without such GPUs have no row.
-- Parameters: names Array(String), prices Array(Float64) (one for each of the names), the filters, from, to (whole hours).
SELECT gpu_name, toUnixTimestamp(hour) AS at, sum(gpus) AS summed
FROM price_histogram FINAL
WHERE hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC')
  AND NOT rented
  AND gpu_name IN {names:Array(String)}
  AND toFloat64(price) <= {prices:Array(Float64)}[indexOf({names:Array(String)}, gpu_name)]
  AND {{filter_machines}}
GROUP BY gpu_name, at

-- name: available_then
-- GPUs of a name that were available at a price or less in an hour, summed over its slots, for several pairs of an hour and a price. A pair without
-- such GPUs has no row. Parameters:
-- name, verified, hours Array(UInt32) (whole hours), prices Array(Float64) (one for each of the hours).
SELECT asked.at AS at, asked.most AS price, sum(gpus) AS summed
FROM price_histogram AS seen FINAL
INNER JOIN (
  SELECT DISTINCT pair.1 AS at, pair.2 AS most, toDateTime(pair.1, 'UTC') AS hour
  FROM (SELECT arrayJoin(arrayZip({hours:Array(UInt32)}, {prices:Array(Float64)})) AS pair)
) AS asked ON asked.hour = seen.hour
WHERE seen.hour >= toDateTime(arrayMin({hours:Array(UInt32)}), 'UTC')
  AND seen.hour <= toDateTime(arrayMax({hours:Array(UInt32)}), 'UTC')
  AND NOT rented
  AND gpu_name = {name:String}
  AND ({verified:String} = 'all' OR verified = ({verified:String} = 'yes'))
  AND toFloat64(seen.price) <= asked.most
GROUP BY at, price

-- name: hours
-- The figures that are forecast, by hour. An hour has prices of rented GPUs only if its last slot shows them. Parameters: names Array(String), the
-- filters, own, has_rentals UInt8, from, to (whole hours).
SELECT
  gpu_name, toUnixTimestamp(bucket) AS hour, toFloat64(if({{rented_shown}}, cube.rented_median, NULL)) AS rented_median,
  toFloat64(avail_median) AS avail_median,
  if(pooled_gpus = 0 OR {has_rentals:UInt8} = 0, NULL, pooled_rented_gpus / pooled_gpus) AS occupancy
FROM cube FINAL
WHERE step = 3600
  AND {{filter_cube}}
  AND gpu_name IN {names:Array(String)}
  AND bucket >= toDateTime({from:UInt32}, 'UTC') AND bucket < toDateTime({to:UInt32}, 'UTC')
