-- The performance of some GPUs at the last slot of [from, to), over the machines that pass the filter, and how much of each figure a dollar an
-- hour buys at that slot's median available price. A statement and not a view: the view took 4 ms more to plan, half of what this takes.
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
