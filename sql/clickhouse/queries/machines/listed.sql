-- Some machines as one slot of a source has them. The price is that of the free GPUs. From outside it is that of the rented ones, too.
-- Parameters: ids Array(UInt64), names Array(String), slot (unix seconds).
SELECT
  machine_id AS id,
  sumIf(gpus, rented) AS rented_gpus,
  if(rented_gpus = 0, NULL, toFloat64(sumIf(toDecimal128(seen.price, 9) * gpus, rented)) / rented_gpus) AS rented_price,
  toFloat64(if(countIf(NOT rented) > 0, maxIf(seen.price, NOT rented), max(seen.price))) AS price
FROM observations AS seen
WHERE gpu_name IN {names:Array(String)} AND seen.slot = toDateTime({slot:UInt32}, 'UTC') AND machine_id IN {ids:Array(UInt64)}
GROUP BY machine_id
