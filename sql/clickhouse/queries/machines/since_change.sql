-- What some machines were from a slot of their own to a common one: the slots in which they were seen, their GPUs, those rented, and money
-- summed over them, and the share that was rented at the first. One row for each machine that was seen.
-- Parameters: ids Array(UInt64), names Array(String), rigs Array(UInt16), since Array(UInt32), slot (unix seconds).
SELECT
  machine_id AS id,
  any(begin) AS since,
  uniqExact(seen.slot) AS slots,
  sum(gpus) AS all_gpus,
  sumIf(gpus, rented) AS rented_gpus,
  toFloat64(sumIf(toDecimal128(price, 9) * gpus, rented)) AS value,
  sumIf(gpus, rented AND toUnixTimestamp(seen.slot) = begin) / sumIf(gpus, toUnixTimestamp(seen.slot) = begin) AS rented_share
FROM (
  SELECT *, transform(machine_id, {ids:Array(UInt64)}, {since:Array(UInt32)}, toUInt32(0)) AS begin FROM observations
) AS seen
WHERE gpu_name IN {names:Array(String)} AND machine_id IN {ids:Array(UInt64)}
  AND seen.slot >= toDateTime(arrayMin({since:Array(UInt32)}), 'UTC') AND seen.slot <= toDateTime({slot:UInt32}, 'UTC')
  AND toUnixTimestamp(seen.slot) >= begin
  AND (machine_id, gpu_name, num_gpus) IN arrayZip({ids:Array(UInt64)}, {names:Array(String)}, {rigs:Array(UInt16)})
GROUP BY machine_id
