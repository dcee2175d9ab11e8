-- {{last_ask}}: the median price of the GPUs available at the last slot of a row of the cube; NULL without any.
if(avail_verified_gpus + avail_unverified_gpus = 0, NULL, toFloat64(avail_median + last_ask_diff))

-- {{last_performance}}: the performance of a GPU at the last slot of the bucket `last` (unix seconds), and how much of it a dollar an hour buys at the median
-- price of the GPUs available then, as an array of one. It is empty for other buckets, and for a row that lacks last_ask_diff.
if(
    bucket = toDateTime({last:UInt32}, 'UTC') AND last_ask_diff IS NOT NULL,
    [CAST(
      (tflops, dlperf, tflops / {{last_ask}}, dlperf / {{last_ask}}),
      'Tuple(tflops Nullable(Float64), dlperf Nullable(Float64), tflops_per_dollar Nullable(Float64), dlperf_per_dollar Nullable(Float64))'
    )],
    []
  )
