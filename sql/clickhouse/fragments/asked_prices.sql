-- {{asked_prices}}: GPUs per price and bucket that pass the filter, in [from, to). From the price steps where they have this step, else from the hours.
-- A rented GPU has the price from `low` to `high` (billionths of a dollar) of its bin; -1: hosts see no price of it, also where the bin begins at 0
-- and is wider than the narrowest. A bin is shown with no filters but `verified` and `gpu_memory` (filters.sql). With own = 0 (the market of a source), and of available
-- GPUs, low = high = price. It is no view: ClickHouse plans the text of a view with parameters twice.
-- Parameters: names Array(String), the filters, own UInt8, stored_step (3600, 21600 or 86400), from, to UInt32.
SELECT
  gpu_name, gpu_memory AS memory, bucket, rented, price, gpus,
  multiIf(NOT rented OR {own:UInt8} = 0 OR bin = 1, 1, bin != 0 AND {{filter_unsplit}}, bin, 255) AS shown,
  {{price_range}}
FROM (
  SELECT gpu_name, bucket, {{filter_columns}}, rented, price, gpus, bin
  FROM price_steps FINAL
  WHERE {stored_step:UInt32} > 3600 AND step = {stored_step:UInt32}
    AND bucket >= toDateTime({from:UInt32}, 'UTC') AND bucket < toDateTime({to:UInt32}, 'UTC')
  UNION ALL
  SELECT gpu_name, hour, {{filter_columns}}, rented, price, gpus, bin
  FROM price_histogram FINAL
  WHERE {stored_step:UInt32} = 3600
    AND hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC')
)
WHERE gpu_name IN {names:Array(String)}
  AND {{filter_machines}}
