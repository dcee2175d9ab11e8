-- Points of some GPUs at a step that the cube doesn't hold, pooled from the hourly histogram or from the observations.
-- Parameters: names Array(String), verified, hosting_type, num_gpus, step, from, to (on the step), hourly.
SELECT
  gpu_name, toUnixTimestamp(bucket) AS start,
  rented_verified + avail_verified + rented_unverified + avail_unverified AS total,
  avail_verified + avail_unverified AS available,
  rented_verified, avail_verified, rented_unverified, avail_unverified,
  rented_verified_gpus + avail_verified_gpus + rented_unverified_gpus + avail_unverified_gpus AS total_gpus,
  rented_verified_gpus, avail_verified_gpus, rented_unverified_gpus, avail_unverified_gpus,
  rented_p10, rented_median, rented_p90, avail_p10, avail_median, avail_p90
FROM bucket_rows(step = {step:UInt32}, from = {from:UInt32}, to = {to:UInt32}, hourly = {hourly:Bool})
WHERE verified = {verified:String} AND hosting_type = {hosting_type:String} AND num_gpus = {num_gpus:UInt16}
  AND gpu_name IN {names:Array(String)}
