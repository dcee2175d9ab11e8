-- Computes the price steps of the buckets in [from, to) from the price histogram. Parameters: step, from, to (on the step), revision.
INSERT INTO price_steps (step, gpu_name, bucket, {{filter_columns}}, rented, price, gpus, bin, revision)
SELECT {step:UInt32}, gpu_name, bucket, {{filter_columns}}, rented, price, gpus, bin, {revision:UInt64}
FROM (
  SELECT
    gpu_name, toDateTime(intDiv(toUnixTimestamp(hour), {step:UInt32}) * {step:UInt32}, 'UTC') AS bucket,
    {{filter_columns}}, rented, price, sum(h.gpus) AS gpus
  FROM price_histogram AS h FINAL
  WHERE hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC')
  GROUP BY gpu_name, bucket, {{filter_columns}}, rented, price
) AS sums
LEFT JOIN (
  SELECT toDateTime(bucket, 'UTC') AS bucket, gpu_name, verified, true AS rented, price, bin
  FROM step_bins(step = {step:UInt32}, from = {from:UInt32}, to = {to:UInt32})
) AS bins USING (bucket, gpu_name, verified, rented, price)
