-- name: counts
-- The counts that belong to the percentiles of `prices`: from the newest row of the cube (of step `counted_step`) in each bucket. Parameters: names
-- Array(String), the filters, counted_step, step, from, to, last.
SELECT
  * EXCEPT ('^(step|bucket|only_memory|tflops|dlperf|last_ask_diff|revision)$|^pooled_|_(p[0-9]+|median|thin)$') EXCEPT ({{filter_columns}}),
  intDiv(toUnixTimestamp(bucket), {step:UInt32}) * {step:UInt32} AS start,
  toUnixTimestamp(bucket) AS counted,
  {{last_performance}} AS performance
FROM cube FINAL
WHERE {{filter_cube}}
  AND gpu_name IN {names:Array(String)}
  AND step = {counted_step:UInt32}
  AND bucket >= toDateTime({from:UInt32}, 'UTC') AND bucket < toDateTime({to:UInt32}, 'UTC')
ORDER BY bucket DESC
LIMIT 1 BY gpu_name, start

-- name: latest
-- The values of last_performance (fragments/performance.sql) for rows of the cube that lack them, for some GPUs at one slot.
-- Parameters: names Array(String), the filters, slot.
SELECT gpu_name, [tflops, dlperf, toFloat64(avail_median)] AS performance
FROM cube FINAL
WHERE step = 1
  AND {{filter_cube}}
  AND gpu_name IN {names:Array(String)}
  AND bucket = toDateTime({slot:UInt32}, 'UTC')

-- name: prices
-- Percentiles of some GPUs at a step that the cube does not hold, pooled from the price histogram, the price steps or the observations. They equal
-- the percentiles of views/slot_rows.sql, for one filter instead of all of them, which is a fifth of the work.
-- Parameters: names Array(String), the filters, step, from, to (on the step), pooled_step (seconds of the pooled buckets, which divides step; 0: the
-- observations).
SELECT
  gpu_name, start,
  {{price_columns}}
FROM (
  SELECT
    gpu_name,
    intDiv(toUnixTimestamp(time), {step:UInt32}) * {step:UInt32} AS start,
    countIf(rented) AS all_rented,
    countIf(NOT rented) AS all_avail,
    quantilesExactWeightedIf({{price_percentiles}})(price, gpus, rented) AS rented_prices,
    quantilesExactWeightedIf({{price_percentiles}})(price, gpus, NOT rented) AS avail_prices
  FROM (
    SELECT hour AS time, gpu_name, {{machine_columns}}, rented, price, gpus
    FROM price_histogram FINAL
    WHERE {pooled_step:UInt32} = 3600 AND hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC')
    UNION ALL
    SELECT bucket, gpu_name, {{machine_columns}}, rented, price, gpus
    FROM price_steps FINAL
    WHERE {pooled_step:UInt32} > 3600 AND step = {pooled_step:UInt32}
      AND bucket >= toDateTime({from:UInt32}, 'UTC') AND bucket < toDateTime({to:UInt32}, 'UTC')
    UNION ALL
    SELECT slot, gpu_name, {{machine_columns}}, rented, price, toUInt64(gpus)
    FROM observations
    WHERE {pooled_step:UInt32} = 0 AND slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
  )
  WHERE gpu_name IN {names:Array(String)}
    AND {{filter_machines}}
  GROUP BY gpu_name, start
)

-- name: seen
-- The GPU names among `names` that were on the market in [from, to), regardless of filters.
-- Parameters: names Array(String), stored_step, from, to.
SELECT DISTINCT gpu_name
FROM cube
WHERE step = {stored_step:UInt32} AND {{filter_whole_market}}
  AND gpu_name IN {names:Array(String)}
  AND bucket >= toDateTime({from:UInt32}, 'UTC') AND bucket < toDateTime({to:UInt32}, 'UTC')

-- name: stored
-- Points of some GPUs as the cube holds them; 'all' and 0 mean "not filtered".
-- Parameters: names Array(String), the filters, stored_step, from, to, last.
SELECT
  * EXCEPT ('^(step|bucket|only_memory|tflops|dlperf|last_ask_diff|revision)$|^pooled_|_thin$') EXCEPT ({{filter_columns}}),
  toUnixTimestamp(bucket) AS start,
  {{last_performance}} AS performance
FROM cube FINAL
WHERE {{filter_cube}}
  AND gpu_name IN {names:Array(String)}
  AND step = {stored_step:UInt32}
  AND bucket >= toDateTime({from:UInt32}, 'UTC') AND bucket < toDateTime({to:UInt32}, 'UTC')
