-- The market in [from, to), slot by slot, for alert rules. `slots` and `names` restrict it to some slots and GPU names (empty: all). `gpus`
-- restricts it to some filters: its elements and the elements of the filter lists belong together.
-- Parameters: slots Array(UInt32), names, gpus Array(String), a list of each filter (filter_lists in fragments/filters.sql), from, to.
SELECT
  toUnixTimestamp(bucket) AS slot, gpu_name, {{filter_columns}}, only_memory,
  total, available, total_gpus,
  avail_verified_gpus + avail_unverified_gpus AS available_gpus,
  rented_verified_gpus + rented_unverified_gpus AS rented_gpus,
  COLUMNS('_(p[0-9]+|median)$')
FROM cube FINAL
WHERE step = 1 AND bucket >= toDateTime({from:UInt32}, 'UTC') AND bucket < toDateTime({to:UInt32}, 'UTC')
  AND (empty({slots:Array(UInt32)}) OR bucket IN arrayMap(slot -> toDateTime(slot, 'UTC'), {slots:Array(UInt32)}))
  AND (empty({names:Array(String)}) OR gpu_name IN {names:Array(String)})
  AND (empty({gpus:Array(String)}) OR {{filter_lists}})
ORDER BY bucket
