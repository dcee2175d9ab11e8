-- Percentiles of some GPUs at a step that the cube does not hold, pooled from the price histogram, the price steps or the observations. They are
-- those of views/slot_rows.sql for one filter instead of all of them, which is a fifth of the work.
-- Parameters: names Array(String), the filters, step, from, to (on the step), pooled_step (seconds of the buckets that
-- are pooled, which divides step; 0: the observations).
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
    SELECT hour AS time, gpu_name, {{filter_columns}}, rented, price, gpus
    FROM price_histogram FINAL
    WHERE {pooled_step:UInt32} = 3600 AND hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC')
    UNION ALL
    SELECT bucket, gpu_name, {{filter_columns}}, rented, price, gpus
    FROM price_steps FINAL
    WHERE {pooled_step:UInt32} > 3600 AND step = {pooled_step:UInt32}
      AND bucket >= toDateTime({from:UInt32}, 'UTC') AND bucket < toDateTime({to:UInt32}, 'UTC')
    UNION ALL
    SELECT slot, gpu_name, {{filter_columns}}, rented, price, toUInt64(gpus)
    FROM observations
    WHERE {pooled_step:UInt32} = 0 AND slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
  )
  WHERE gpu_name IN {names:Array(String)}
    AND {{filter_machines}}
  GROUP BY gpu_name, start
)
