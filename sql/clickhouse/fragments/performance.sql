-- {{last_performance}}: the performance of a GPU at the last slot of the bucket `last` (unix seconds), and how much of it a dollar an hour buys at the median
-- price of the GPUs available then, as an array of one. It is empty for other buckets, and for a row of the cube that lacks last_ask.
if(
    bucket = toDateTime({last:UInt32}, 'UTC') AND ifNull(last_ask, 0) >= 0,
    [CAST(
      (tflops, dlperf, tflops / toFloat64(last_ask), dlperf / toFloat64(last_ask)),
      'Tuple(tflops Nullable(Float64), dlperf Nullable(Float64), tflops_per_dollar Nullable(Float64), dlperf_per_dollar Nullable(Float64))'
    )],
    []
  )
