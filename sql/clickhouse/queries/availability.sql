-- name: marginal
-- The lowest prices at which the given number of GPUs was available, on average over the slots of an hour: one for each hour, ascending, per GPU name.
-- Hours without such a price have none. Parameters: names Array(String), the filters, from, to (whole hours), gpus.
SELECT gpu_name, arraySort(groupArray(price)) AS prices
FROM (
  SELECT gpu_name, bucket, min(price) AS price
  FROM (
    SELECT gpu_name, hour AS bucket, price, sum(gpus) OVER (PARTITION BY gpu_name, hour ORDER BY price) AS offered
    FROM price_histogram FINAL
    WHERE {{available_prices}}
  ) AS books
  INNER JOIN ({{slots_of_hours}}) AS market USING (bucket)
  WHERE offered >= {gpus:UInt32} * slots_of_hour
  GROUP BY gpu_name, bucket
)
GROUP BY gpu_name

-- name: share
-- The number of hours in which the given number of GPUs was available at a price or less, on average over the slots of the hour, per GPU name. It reads
-- only these prices, and needs no order. Parameters: as for marginal, and price.
SELECT gpu_name, countIf(offered >= {gpus:UInt32} * slots_of_hour) AS hours
FROM (
  SELECT gpu_name, hour AS bucket, sum(gpus) AS offered
  FROM price_histogram FINAL
  -- Columns of the key, which ClickHouse may filter by before it merges versions of rows.
  PREWHERE NOT rented AND price <= {price:Decimal(18, 9)} AND gpu_name IN {names:Array(String)}
  WHERE {{available_prices}}
  GROUP BY gpu_name, bucket
) AS books
INNER JOIN ({{slots_of_hours}}) AS market USING (bucket)
GROUP BY gpu_name
