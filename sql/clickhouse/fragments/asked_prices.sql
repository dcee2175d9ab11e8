-- {{asked_prices}}: GPUs per price (billionths of a dollar) and bucket that pass the filter, in [from, to). From the price steps where they have this step,
-- else from the hours. A fragment and not a view, because ClickHouse plans a parameterized view twice.
-- Parameters: names Array(String), the filters, stored_step (3600, 21600 or 86400), from, to UInt32.
SELECT gpu_name, gpu_memory AS memory, bucket, rented, reinterpretAsInt64(p.price) AS price, gpus
FROM (
  SELECT gpu_name, bucket, {{machine_columns}}, rented, price, gpus
  FROM price_steps FINAL
  WHERE {stored_step:UInt32} > 3600 AND step = {stored_step:UInt32}
    AND bucket >= toDateTime({from:UInt32}, 'UTC') AND bucket < toDateTime({to:UInt32}, 'UTC')
  UNION ALL
  SELECT gpu_name, hour, {{machine_columns}}, rented, price, gpus
  FROM price_histogram FINAL
  WHERE {stored_step:UInt32} = 3600
    AND hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC')
) AS p
WHERE gpu_name IN {names:Array(String)}
  AND {{filter_machines}}
