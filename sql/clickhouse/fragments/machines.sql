-- {{machine_past}}: what some machines were after `from` until `slot`. A row is a machine in one state at one slot, with `slots` 0, or a whole day of it,
-- with its number of slots. Days of [days_from, days_to) are whole, but those of `split`. A machine is the same as long as its GPU name and rig size are.
-- Parameters: ids Array(UInt64), names Array(String), rigs Array(UInt16), split Array(Date), from, slot, days_from, days_to (unix seconds).
SELECT
    machine_id AS id, 0 AS slots, seen.slot AS first_slot, seen.slot AS last_slot, if(rented, seen.slot, toDateTime(0, 'UTC')) AS rented_slot,
    toUInt64(seen.gpus) AS gpus, toUInt64(rented ? seen.gpus : 0) AS rented_gpus, toDecimal128(price, 9) * rented_gpus AS rented_value,
    rented ? [] : [(seen.slot, price)] AS asks, toUInt64(ifNull(host_id, 0)) AS host
  FROM observations AS seen
  WHERE gpu_name IN {names:Array(String)} AND machine_id IN {ids:Array(UInt64)}
    AND (machine_id, gpu_name, num_gpus) IN arrayZip({ids:Array(UInt64)}, {names:Array(String)}, {rigs:Array(UInt16)})
    AND seen.slot > toDateTime({from:UInt32}, 'UTC') AND seen.slot <= toDateTime({slot:UInt32}, 'UTC')
    AND (
      seen.slot < toDateTime({days_from:UInt32}, 'UTC') OR seen.slot >= toDateTime({days_to:UInt32}, 'UTC')
      OR toDate(seen.slot) IN {split:Array(Date)}
    )
  UNION ALL
  SELECT
    machine_id, slots, first_slot, last_slot, rented_slot,
    avail_gpus + rented_gpus, rented_gpus, rented_value, asks, 0
  FROM machine_days FINAL
  WHERE gpu_name IN {names:Array(String)} AND machine_id IN {ids:Array(UInt64)}
    AND (machine_id, gpu_name, num_gpus) IN arrayZip({ids:Array(UInt64)}, {names:Array(String)}, {rigs:Array(UInt16)})
    AND machine_days.day >= toDate(toDateTime({days_from:UInt32}, 'UTC')) AND machine_days.day < toDate(toDateTime({days_to:UInt32}, 'UTC'))
    AND machine_days.day NOT IN {split:Array(Date)}
