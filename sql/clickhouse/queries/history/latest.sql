-- What last_performance (fragments/performance.sql) says, for rows of the cube that lack it: of some GPUs at one slot.
-- Parameters: names Array(String), the filters, slot.
SELECT gpu_name, [tflops, dlperf, toFloat64(avail_median)] AS performance
FROM cube FINAL
WHERE step = 1
  AND {{filter_cube}}
  AND gpu_name IN {names:Array(String)}
  AND bucket = toDateTime({slot:UInt32}, 'UTC')
