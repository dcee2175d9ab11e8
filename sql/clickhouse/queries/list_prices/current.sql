-- The cheapest offer of each GPU name, provider, kind and size of memory that has not ended. Parameters: names (empty: every one).
SELECT
  gpu_name, catalog, provider, spot, toFloat64(price) AS price, region, instance_name, gpus, gpu_memory, listed_name, since
FROM (
  SELECT
    gpu_name, catalog, provider, spot, region, instance_name, gpus, gpu_memory, listed_name,
    argMax(tuple(l.price), l.time).1 AS price, toUnixTimestamp(max(l.time)) AS since
  FROM list_prices AS l
  WHERE gpu_name != '' AND (empty({names:Array(String)}) OR gpu_name IN {names:Array(String)})
  GROUP BY gpu_name, catalog, provider, spot, region, instance_name, gpus, gpu_memory, listed_name
)
WHERE price IS NOT NULL
ORDER BY gpu_name, price, gpus, region, instance_name
LIMIT 1 BY gpu_name, catalog, provider, spot, gpu_memory
