-- name: marginal
-- The lowest price at which the given number of GPUs was available, on average over the slots of the hour, per GPU name and hour.
-- Hours without such a price have no row. Parameters: names Array(String), the filters, from, to (whole hours), gpus.
SELECT
  gpu_name,
  arrayFirstIndex(
    offered -> offered >= {gpus:UInt32} * slots_of_hour, arrayCumSum(arraySort((weight, price) -> price, weights, prices))
  ) AS enough,
  arraySort(prices)[enough] AS price
FROM (
  SELECT gpu_name, hour AS bucket, groupArray(price) AS prices, groupArray(gpus) AS weights
  FROM price_histogram FINAL
  WHERE hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC')
    AND NOT rented
    AND gpu_name IN {names:Array(String)}
    AND {{filter_machines}}
  GROUP BY gpu_name, bucket
) AS books
INNER JOIN (
  SELECT toStartOfHour(slot) AS bucket, uniqExact(slot) AS slots_of_hour
  FROM slots
  WHERE ready AND slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
  GROUP BY bucket
) AS market USING (bucket)
WHERE enough > 0
