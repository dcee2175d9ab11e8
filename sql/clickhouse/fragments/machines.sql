-- {{machine_past}}: what some machines were after `from` until `slot`. A row is a machine in one state at one slot, with `slots` 0, or a part of a whole
-- day of it, with its number of slots: before its last price of the day, and since. `first` has its GPUs and those rented in the slot of the row, or of
-- that last price; for one GPU there. Days of [days_from, days_to) are whole. A machine is the same as long as its GPU name and rig size are.
-- Parameters: ids Array(UInt64), names Array(String), rigs Array(UInt16), from, slot, days_from, days_to (unix seconds).
SELECT
    machine_id AS id, 0 AS slots, seen.slot AS first_slot, seen.slot AS last_slot, if(rented, seen.slot, toDateTime(0, 'UTC')) AS rented_slot,
    toUInt64(seen.gpus) AS gpus, toUInt64(rented ? seen.gpus : 0) AS rented_gpus, toDecimal128(price, 9) * rented_gpus AS rented_value,
    (gpus, toFloat64(rented_gpus)) AS first, rented ? [] : [(seen.slot, price)] AS asks, toUInt64(ifNull(host_id, 0)) AS host
  FROM observations AS seen
  WHERE gpu_name IN {names:Array(String)} AND machine_id IN {ids:Array(UInt64)}
    AND (machine_id, gpu_name, num_gpus) IN arrayZip({ids:Array(UInt64)}, {names:Array(String)}, {rigs:Array(UInt16)})
    AND seen.slot > toDateTime({from:UInt32}, 'UTC') AND seen.slot <= toDateTime({slot:UInt32}, 'UTC')
    AND (seen.slot < toDateTime({days_from:UInt32}, 'UTC') OR seen.slot >= toDateTime({days_to:UInt32}, 'UTC'))
  UNION ALL
  SELECT
    machine_id,
    toUInt64(before ? before_ask.slots : slots - before_ask.slots) AS part_slots,
    before OR empty(machine_days.asks) ? first_slot : machine_days.asks[-1].slot,
    last_slot,
    rented_slot,
    toUInt64(before ? before_ask.gpus : avail_gpus + rented_gpus - before_ask.gpus),
    toUInt64(before ? before_ask.rented_gpus : rented_gpus - before_ask.rented_gpus),
    before ? before_ask.rented_value : rented_value - before_ask.rented_value,
    (1, ask_rented),
    before ? [] : machine_days.asks,
    0
  FROM machine_days FINAL
  ARRAY JOIN [true, false] AS before
  WHERE gpu_name IN {names:Array(String)} AND machine_id IN {ids:Array(UInt64)}
    AND (machine_id, gpu_name, num_gpus) IN arrayZip({ids:Array(UInt64)}, {names:Array(String)}, {rigs:Array(UInt16)})
    AND machine_days.day >= toDate(toDateTime({days_from:UInt32}, 'UTC')) AND machine_days.day < toDate(toDateTime({days_to:UInt32}, 'UTC'))
    AND part_slots > 0
