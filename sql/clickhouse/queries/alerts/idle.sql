-- Since when some machines were seen, and when a GPU of theirs was rented last, 0: never, of [from, to). Parameters: ids Array(UInt64), from, to.
SELECT
  machine_id AS id, toUnixTimestamp(min(seen.slot)) AS first_slot, toUnixTimestamp(maxIf(seen.slot, rented)) AS rented_slot
FROM observations AS seen
WHERE seen.slot >= toDateTime({from:UInt32}, 'UTC') AND seen.slot < toDateTime({to:UInt32}, 'UTC') AND machine_id IN {ids:Array(UInt64)}
GROUP BY machine_id
