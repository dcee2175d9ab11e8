-- The market in [from, to), slot by slot: what rules watch. With `slots` only of these slots, with `names` only of these GPU names, with `gpus`
-- only some filters: the elements of the four arrays from `gpus` on belong together.
-- Parameters: slots Array(UInt32), names, gpus, verified, hosting Array(String), rigs Array(UInt16), from, to.
SELECT
  toUnixTimestamp(bucket) AS slot, gpu_name, toString(cube.verified) AS verified, toString(cube.hosting_type) AS hosting_type, num_gpus,
  total, available, total_gpus,
  avail_verified_gpus + avail_unverified_gpus AS available_gpus,
  rented_verified_gpus + rented_unverified_gpus AS rented_gpus,
  avail_p10, avail_median, avail_p90, rented_p10, rented_median, rented_p90
FROM cube FINAL
WHERE step = 1 AND bucket >= toDateTime({from:UInt32}, 'UTC') AND bucket < toDateTime({to:UInt32}, 'UTC')
  AND (empty({slots:Array(UInt32)}) OR bucket IN arrayMap(slot -> toDateTime(slot, 'UTC'), {slots:Array(UInt32)}))
  AND (empty({names:Array(String)}) OR gpu_name IN {names:Array(String)})
  AND (empty({gpus:Array(String)}) OR (gpu_name, toString(cube.verified), toString(cube.hosting_type), num_gpus)
    IN arrayZip({gpus:Array(String)}, {verified:Array(String)}, {hosting:Array(String)}, {rigs:Array(UInt16)}))
ORDER BY bucket
