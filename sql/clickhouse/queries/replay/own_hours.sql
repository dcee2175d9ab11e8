-- What one machine was in each hour in which it was seen: money, GPUs that were rented, and its GPUs available at each price, all summed over the
-- slots; the slots in which something of it could be rented, or all was; the first price that it asked, and the rentals of its first slot.
-- Parameters: id UInt64, name String, num_gpus UInt16, from, to (unix seconds, whole hours).
SELECT
  toUnixTimestamp(toStartOfHour(toDateTime(slot, 'UTC'))) AS hour,
  toFloat64(sum(paid)) AS value,
  sum(busy) AS rented_gpus,
  if(countIf(free > 0) = 0, NULL, argMinIf(asks[1].1, slot, free > 0)) AS first_ask,
  countIf(free > 0 OR busy >= {num_gpus:UInt16}) AS online_slots,
  sumMap(arrayMap(one -> one.1, asks), arrayMap(one -> toUInt64(one.2), asks)) AS offered,
  argMin(rentals, slot) AS first_rentals
FROM (
  SELECT
    toUnixTimestamp(seen.slot) AS slot,
    sumIf(toDecimal128(price, 9) * gpus, rented) AS paid,
    sumIf(gpus, rented) AS busy,
    sumIf(gpus, NOT rented) AS free,
    groupArrayIf((toFloat64(price), gpus), NOT rented) AS asks,
    groupArrayIf((toFloat64(price), gpus), rented) AS rentals
  FROM observations AS seen
  WHERE gpu_name = {name:String} AND machine_id = {id:UInt64} AND num_gpus = {num_gpus:UInt16}
    AND seen.slot >= toDateTime({from:UInt32}, 'UTC') AND seen.slot < toDateTime({to:UInt32}, 'UTC')
  GROUP BY seen.slot
)
GROUP BY hour
ORDER BY hour
