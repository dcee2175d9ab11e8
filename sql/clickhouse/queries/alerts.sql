-- name: fills
-- Rentals and returns of each class of machines, hour by hour or, without `hourly`, over all hours. Seconds are GPU-seconds.
-- Parameters: names Array(String), empty: all; from, to (whole hours), hourly.
SELECT
  if({hourly:Bool}, toUnixTimestamp(hour), 0) AS start, gpu_name, {{filter_columns}},
  sum(flows.exposure) AS exposed_seconds, sum(flows.rentals) AS rented_gpus, sum(flows.held) AS held_seconds, sum(flows.returns) AS returned_gpus,
  toFloat64(sum(flows.exposure_gap)) AS exposed_gap, toFloat64(sum(flows.held_gap)) AS kept_gap, toFloat64(sum(flows.mixed_gap)) AS both_gap,
  toFloat64(sum(flows.mixed_rentals)) AS both_rented, toFloat64(sum(flows.mixed_returns)) AS both_returned
FROM flows FINAL
WHERE hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC')
  AND (empty({names:Array(String)}) OR gpu_name IN {names:Array(String)})
GROUP BY start, gpu_name, {{filter_columns}}

-- name: idle
-- The time since which each machine was seen in [from, to), and the time when a GPU of it was last rented (0: never). Parameters: ids Array(UInt64),
-- from, to.
SELECT
  machine_id AS id, toUnixTimestamp(min(seen.slot)) AS first_slot, toUnixTimestamp(maxIf(seen.slot, rented)) AS rented_slot
FROM observations AS seen
WHERE seen.slot >= toDateTime({from:UInt32}, 'UTC') AND seen.slot < toDateTime({to:UInt32}, 'UTC') AND machine_id IN {ids:Array(UInt64)}
GROUP BY machine_id

-- name: machines
-- Machines in [from, to), slot by slot. Parameters: ids Array(UInt64), empty: all; from, to.
SELECT
  toUnixTimestamp(seen.slot) AS slot, machine_id AS id, gpu_name, {{filter_columns}},
  sumIf(gpus, NOT seen.rented) AS free, sumIf(gpus, seen.rented) AS rented,
  if(free = 0, NULL, toFloat64(maxIf(price, NOT seen.rented))) AS price,
  JSONExtract(max(toString(seen.terms)), 2, 'Nullable(UInt32)') AS ends
FROM observations AS seen
WHERE seen.slot >= toDateTime({from:UInt32}, 'UTC') AND seen.slot < toDateTime({to:UInt32}, 'UTC')
  AND (empty({ids:Array(UInt64)}) OR machine_id IN {ids:Array(UInt64)})
GROUP BY seen.slot, machine_id, gpu_name, {{filter_columns}}
ORDER BY seen.slot

-- name: market
-- The market in [from, to), slot by slot, for alert rules. `slots` and `names` restrict it to some slots and GPU names (empty: all). `gpus`
-- restricts it to some filters: its elements and the elements of the filter lists belong together.
-- Prices of rented GPUs are NULL where they are not shown.
-- `has_rentals` is 0 where the source does not say which GPUs are rented. Parameters: own, has_rentals UInt8, slots Array(UInt32), names, gpus Array(String), a list of each filter (filter_lists in fragments/filters.sql), from, to.
SELECT
  toUnixTimestamp(bucket) AS slot, gpu_name, {{filter_columns}}, only_memory,
  total, available, total_gpus,
  avail_verified_gpus + avail_unverified_gpus AS available_gpus,
  if({has_rentals:UInt8} = 0, NULL, rented_verified_gpus + rented_unverified_gpus) AS rented_gpus,
  avail_p10, avail_median, avail_p90,
  if({{rented_shown}}, cube.rented_p10, NULL) AS rented_p10, if({{rented_shown}}, cube.rented_median, NULL) AS rented_median,
  if({{rented_shown}}, cube.rented_p90, NULL) AS rented_p90
FROM cube FINAL
WHERE step = 1 AND bucket >= toDateTime({from:UInt32}, 'UTC') AND bucket < toDateTime({to:UInt32}, 'UTC')
  AND (empty({slots:Array(UInt32)}) OR bucket IN arrayMap(slot -> toDateTime(slot, 'UTC'), {slots:Array(UInt32)}))
  AND (empty({names:Array(String)}) OR gpu_name IN {names:Array(String)})
  AND (empty({gpus:Array(String)}) OR {{filter_lists}})
ORDER BY bucket

-- name: whole_slots
-- The slots in [from, to) at which all of the market was recorded. An import may lack GPU names that the market had. Parameters: from, to.
SELECT DISTINCT toUnixTimestamp(s.slot) AS slot
FROM slots AS s
WHERE s.ready AND s.source IN ('market', 'simulated')
  AND s.slot >= toDateTime({from:UInt32}, 'UTC') AND s.slot < toDateTime({to:UInt32}, 'UTC')
