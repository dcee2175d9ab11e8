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
