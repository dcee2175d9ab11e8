-- What some machines were in the 30 days that end with a slot, in the last 7 of them, and in the last one. GPUs and money are summed over
-- the slots. A machine is the same as long as its GPU name and rig size are. `asks` has each change of the price at which it was available,
-- with its time. `offered` has its prices since `book`, and the GPUs that were available at each.
-- `set` has its GPUs, those rented, and money in the whole hours that its comp set is of, and `hosts` whose it was then; 0: not known.
-- Parameters: ids Array(UInt64), names Array(String), rigs Array(UInt16), from, week, day, book, slot, set_from, set_to (unix seconds).
SELECT
  id, gpus_30d, rented_30d, value_30d, gpus_7d, rented_7d, value_7d, gpus_1d, rented_1d, value_1d, slots_30d, slots_7d, slots_1d, set, hosts,
  first_slot, last_slot, rented_slot, free_now, rented_now, offered,
  arrayFilter((ask, before) -> ask.2 != before.2, seen, arrayPopBack(arrayPushFront(seen, (toUInt32(0), toFloat64(-1))))) AS asks
FROM (
  SELECT
    machine_id AS id,
    sum(gpus) AS gpus_30d,
    sumIf(gpus, rented) AS rented_30d,
    toFloat64(sumIf(toDecimal128(price, 9) * gpus, rented)) AS value_30d,
    sumIf(gpus, seen.slot > toDateTime({week:UInt32}, 'UTC')) AS gpus_7d,
    sumIf(gpus, rented AND seen.slot > toDateTime({week:UInt32}, 'UTC')) AS rented_7d,
    toFloat64(sumIf(toDecimal128(price, 9) * gpus, rented AND seen.slot > toDateTime({week:UInt32}, 'UTC'))) AS value_7d,
    sumIf(gpus, seen.slot > toDateTime({day:UInt32}, 'UTC')) AS gpus_1d,
    sumIf(gpus, rented AND seen.slot > toDateTime({day:UInt32}, 'UTC')) AS rented_1d,
    toFloat64(sumIf(toDecimal128(price, 9) * gpus, rented AND seen.slot > toDateTime({day:UInt32}, 'UTC'))) AS value_1d,
    uniqExact(seen.slot) AS slots_30d,
    uniqExactIf(seen.slot, seen.slot > toDateTime({week:UInt32}, 'UTC')) AS slots_7d,
    uniqExactIf(seen.slot, seen.slot > toDateTime({day:UInt32}, 'UTC')) AS slots_1d,
    (sumIf(gpus, in_set), sumIf(gpus, rented AND in_set), toFloat64(sumIf(toDecimal128(price, 9) * gpus, rented AND in_set))) AS set,
    groupUniqArrayIf(toUInt64(ifNull(host_id, 0)), in_set) AS hosts,
    toUnixTimestamp(min(seen.slot)) AS first_slot,
    toUnixTimestamp(max(seen.slot)) AS last_slot,
    toUnixTimestamp(maxIf(seen.slot, rented)) AS rented_slot,
    sumIf(gpus, NOT rented AND seen.slot = toDateTime({slot:UInt32}, 'UTC')) AS free_now,
    sumIf(gpus, rented AND seen.slot = toDateTime({slot:UInt32}, 'UTC')) AS rented_now,
    sumMapIf([toFloat64(price)], [toUInt64(gpus)], NOT rented AND seen.slot >= toDateTime({book:UInt32}, 'UTC')) AS offered,
    arraySort(groupArrayIf((toUnixTimestamp(seen.slot), toFloat64(price)), NOT rented)) AS seen
  FROM (
    SELECT *, slot >= toDateTime({set_from:UInt32}, 'UTC') AND slot < toDateTime({set_to:UInt32}, 'UTC') AS in_set FROM observations
  ) AS seen
  WHERE gpu_name IN {names:Array(String)} AND machine_id IN {ids:Array(UInt64)}
    AND seen.slot > toDateTime({from:UInt32}, 'UTC') AND seen.slot <= toDateTime({slot:UInt32}, 'UTC')
    AND (machine_id, gpu_name, num_gpus) IN arrayZip({ids:Array(UInt64)}, {names:Array(String)}, {rigs:Array(UInt16)})
  GROUP BY machine_id
)
