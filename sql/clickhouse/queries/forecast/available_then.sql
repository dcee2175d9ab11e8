-- GPUs of a name that were available at some prices or less, each in an hour of its own, summed over its slots. No row without such GPUs. Parameters:
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
