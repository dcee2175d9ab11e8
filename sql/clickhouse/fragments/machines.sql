-- {{own_machines}}: a selection of machines. A machine is the same as long as its GPU name and rig size are. Parameters: ids
-- Array(UInt64), names Array(String), rigs Array(UInt16).
gpu_name IN {names:Array(String)} AND machine_id IN {ids:Array(UInt64)}
    AND (machine_id, gpu_name, num_gpus) IN arrayZip({ids:Array(UInt64)}, {names:Array(String)}, {rigs:Array(UInt16)})

-- {{ask_changes}}: aliases for a machine's state since its last change of price. `changes` has each change of `asks`, with its time. `since` has the
-- `states` since the last change, and `first` the states at the slot of that change. A state has its first slot, GPUs, rented GPUs, money, and the
-- GPUs and rented GPUs at that slot.
arrayFilter((ask, before) -> ask.2 != before.2, asks, arrayPopBack(arrayPushFront(asks, (toUInt32(0), toFloat64(-1))))) AS changes,
  arrayFilter(state -> notEmpty(changes) AND state.1 >= changes[-1].1, states) AS since,
  arrayFilter(state -> state.1 = changes[-1].1, since) AS first

-- {{sums_since}}: from the aliases of ask_changes: GPUs, rented GPUs, and money since the last change, and the rented share at
-- its slot.
arraySum(since.2), arraySum(since.3), toFloat64(arraySum(since.4)), arraySum(first.5.2) / arraySum(first.5.1)

-- {{machine_price}}: aliases for a machine at a slot: free and rented GPUs, and its ask, or the mean of its contract prices where
-- nothing of it is free.
toInt64(sumIf(gpus, NOT rented)) AS avail,
    toInt64(sumIf(gpus, rented)) AS busy,
    greatest(1e-9, if(avail > 0, minIf(toFloat64(seen.price), NOT rented), sumIf(toFloat64(seen.price) * gpus, rented) / busy)) AS price

-- {{priced_machines}}: the machines at the slots in [from, to + longest) with the share of their products' available GPUs that cost
-- less, and ln of their price ÷ the product's median. The own GPUs are part of all; the GPUs of a machine without free ones count
-- as if they were on offer. Parameters: from, to, longest.
SELECT
    *,
    toFloat64(cheaper) / greatest(1, all_avail + if(avail > 0, 0, toInt64(rig))) AS cheaper_share,
    log(price) - quantileExactInclusive(0.5)(log(price)) OVER (PARTITION BY at, gpu_name, memory) AS relative
  FROM (
    SELECT
      *,
      sum(avail) OVER (PARTITION BY at, gpu_name, memory ORDER BY nanos RANGE BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS cheaper,
      sum(avail) OVER (PARTITION BY at, gpu_name, memory) AS all_avail
    FROM (
      SELECT
        toUnixTimestamp(seen.slot) AS at, machine_id AS id, seen.gpu_name AS gpu_name, seen.num_gpus AS rig,
        max(seen.gpu_memory) AS memory, max(seen.verified) AS is_verified, max(seen.hosting_type) AS hosting,
        {{machine_price}},
        toInt64(round(price * 1e9)) AS nanos
      FROM observations AS seen
      WHERE seen.slot >= toDateTime({from:UInt32}, 'UTC') AND seen.slot < toDateTime({to:UInt32} + {longest:UInt32}, 'UTC')
      GROUP BY seen.slot, machine_id, seen.gpu_name, seen.num_gpus
    )
  )
