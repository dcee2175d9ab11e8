-- Computes the price steps of the buckets in [from, to) from the price histogram. Parameters: step, from, to (on the step), revision.
INSERT INTO price_steps (step, gpu_name, bucket, num_gpus, verified, hosting_type, rented, price, gpus, revision)
SELECT
  {step:UInt32}, gpu_name, toDateTime(intDiv(toUnixTimestamp(hour), {step:UInt32}) * {step:UInt32}, 'UTC') AS bucket,
  num_gpus, verified, hosting_type, rented, price, sum(gpus), {revision:UInt64}
FROM price_histogram FINAL
WHERE hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC')
GROUP BY gpu_name, bucket, num_gpus, verified, hosting_type, rented, price
