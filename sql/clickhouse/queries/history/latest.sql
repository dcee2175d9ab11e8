-- The performance of some GPUs at one slot, or of all when no names are given, over the machines that pass the filter, and how much of each
-- figure a dollar an hour buys at that slot's median available price. Parameters: names Array(String), the filters, slot.
SELECT
  gpu_name, tflops, dlperf,
  tflops / toFloat64(avail_median) AS tflops_per_dollar,
  dlperf / toFloat64(avail_median) AS dlperf_per_dollar
FROM cube FINAL
WHERE step = 1
  AND {{filter_cube}}
  AND (empty({names:Array(String)}) OR gpu_name IN {names:Array(String)})
  AND bucket = toDateTime({slot:UInt32}, 'UTC')
