-- What some machines were from a slot of their own to a common one: the slots in which they were seen, their GPUs, those rented, and money
-- summed over them, and the share that was rented at the first. One row for each machine that was seen.
-- Parameters: those of machine_past, since Array(UInt32): the slots of their own, in the order of `ids`, and `split` the days of these.
SELECT
  id,
  toUnixTimestamp(any(begin)) AS since,
  uniqExactIf(last_slot, seen.slots = 0) + sum(seen.slots) AS slots,
  sum(gpus) AS all_gpus,
  sum(seen.rented_gpus) AS rented_gpus,
  toFloat64(sum(rented_value)) AS value,
  sumIf(seen.rented_gpus, first_slot = begin) / sumIf(gpus, first_slot = begin) AS rented_share
FROM (
  SELECT *, toDateTime(transform(id, {ids:Array(UInt64)}, {since:Array(UInt32)}, toUInt32(0)), 'UTC') AS begin FROM ({{machine_past}})
) AS seen
WHERE first_slot >= begin
GROUP BY id
