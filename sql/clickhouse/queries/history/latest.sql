-- The performance of some GPUs at the last slot of [from, to): GPU-weighted 90th percentiles of the per-GPU figures over the
-- machines that pass the filter, and what a dollar an hour buys of them at that slot's median available price.
-- Parameters: names Array(String), verified, hosting_type, num_gpus, from, to.
SELECT
  gpu_name, tflops, dlperf,
  tflops / toFloat64(avail_median) AS tflops_per_dollar,
  dlperf / toFloat64(avail_median) AS dlperf_per_dollar
FROM cube FINAL
WHERE step = 1
  AND verified = {verified:String} AND hosting_type = {hosting_type:String} AND num_gpus = {num_gpus:UInt16}
  AND gpu_name IN {names:Array(String)}
  AND bucket = (
    SELECT max(slot) FROM slots
    WHERE ready AND slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
  )
