-- Makes the cube's rows of the buckets of one step in [from, to) anew. Parameters: step, from, to, hourly, revision.
INSERT INTO cube (
  step, verified, hosting_type, num_gpus, gpu_name, bucket,
  rented_verified, avail_verified, rented_unverified, avail_unverified,
  rented_verified_gpus, avail_verified_gpus, rented_unverified_gpus, avail_unverified_gpus,
  tflops, dlperf, rented_p10, rented_median, rented_p90, avail_p10, avail_median, avail_p90, revision
)
SELECT
  step, verified, hosting_type, num_gpus, gpu_name, bucket,
  rented_verified, avail_verified, rented_unverified, avail_unverified,
  rented_verified_gpus, avail_verified_gpus, rented_unverified_gpus, avail_unverified_gpus,
  tflops, dlperf, rented_p10, rented_median, rented_p90, avail_p10, avail_median, avail_p90, {revision:UInt64}
FROM bucket_rows(step = {step:UInt32}, from = {from:UInt32}, to = {to:UInt32}, hourly = {hourly:Bool})
