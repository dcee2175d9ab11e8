-- Points of some GPUs at a step that the cube does not hold, pooled from the hourly histogram or from the observations.
-- Parameters: names Array(String), verified, hosting_type, num_gpus, step, from, to (on the step), hourly.
SELECT
  * EXCEPT (step, verified, hosting_type, num_gpus, bucket, tflops, dlperf),
  toUnixTimestamp(bucket) AS start
FROM bucket_rows(step = {step:UInt32}, from = {from:UInt32}, to = {to:UInt32}, hourly = {hourly:Bool})
WHERE verified = {verified:String} AND hosting_type = {hosting_type:String} AND num_gpus = {num_gpus:UInt16}
  AND gpu_name IN {names:Array(String)}
