-- {{last_performance}}: an array with the tflops and dlperf of a GPU at the last slot of the bucket `last` (unix seconds), and
-- the median price of the GPUs available then. It is empty for other buckets, and for a row of the cube that lacks last_ask_diff.
if(
    bucket = toDateTime({last:UInt32}, 'UTC') AND last_ask_diff IS NOT NULL,
    [tflops, dlperf, if(avail_verified_gpus + avail_unverified_gpus = 0, NULL, toFloat64(avail_median + last_ask_diff))],
    []
  )
