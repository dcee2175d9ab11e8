-- name: current
-- The cheapest offer of each GPU name, provider, kind and size of memory that has not ended. Parameters: names (empty: all).
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

-- name: history
-- The lowest price of each GPU name, provider, kind and size of memory at the end of each bucket of a range: an offer counts from its row until its next one.
-- Parameters: names, from and to (unix seconds, multiples of step), step.
SELECT gpu_name, catalog, provider, spot, gpu_memory, point, toFloat64(min(asked)) AS price
FROM (
  SELECT
    gpu_name, catalog, provider, spot, gpu_memory, price AS asked, toUnixTimestamp(time) AS begins,
    leadInFrame(toUnixTimestamp(time), 1, 4294967295) OVER (
      PARTITION BY gpu_name, catalog, provider, spot, region, instance_name, gpus, gpu_memory, listed_name
      ORDER BY time ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING
    ) AS ends
  FROM list_prices FINAL
  WHERE gpu_name IN {names:Array(String)} AND toUnixTimestamp(time) < {to:UInt32}
)
ARRAY JOIN range(
  greatest(toInt64({from:UInt32}), toInt64(intDiv(begins, {step:UInt32})) * {step:UInt32}),
  least(toInt64({to:UInt32}), toInt64(ends) + 1 - {step:UInt32}),
  toInt64({step:UInt32})
) AS point
WHERE asked IS NOT NULL
GROUP BY gpu_name, catalog, provider, spot, gpu_memory, point
ORDER BY gpu_name, catalog, provider, spot, point, price DESC

-- name: newest
-- The newest row of each offer of a provider. Parameters: catalog, provider.
SELECT
  region, instance_name, listed_name, gpu_name, gpu_memory, gpus, spot,
  argMax(tuple(price), list_prices.time).1 AS price, toUnixTimestamp(max(list_prices.time)) AS changed
FROM list_prices
WHERE catalog = {catalog:String} AND provider = {provider:String}
GROUP BY region, instance_name, listed_name, gpu_name, gpu_memory, gpus, spot

-- name: unmapped
-- The offers of catalogs with an unknown GPU name, most offers first.
SELECT catalog, provider, listed_name, gpu_memory, toUInt32(count()) AS offers, toFloat64(min(price)) AS cheapest
FROM (
  SELECT
    catalog, provider, listed_name, gpu_memory,
    argMax(tuple(l.price), l.time).1 AS price
  FROM list_prices AS l
  WHERE gpu_name = ''
  GROUP BY catalog, provider, listed_name, gpu_memory, spot, region, instance_name, gpus
)
WHERE price IS NOT NULL
GROUP BY catalog, provider, listed_name, gpu_memory
ORDER BY offers DESC, catalog, provider, listed_name, gpu_memory
LIMIT 500
