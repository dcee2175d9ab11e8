-- GPUs per price and hour, the cells of which any filter and any percentile can be made. It names no machine and no account.
-- Parameters: from, to (whole hours).
SELECT
  toDateTime64(hour, 3, 'UTC') AS time,
  toString(h.gpu_name) AS gpu_name, toInt64(num_gpus) AS num_gpus, verified, toString(h.hosting_type) AS hosting_type, rented,
  toFloat64(h.price) AS price,
  toInt64(gpus) AS gpus
FROM price_histogram AS h FINAL
WHERE hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC')
ORDER BY time, gpu_name, num_gpus, verified, hosting_type, rented, price
