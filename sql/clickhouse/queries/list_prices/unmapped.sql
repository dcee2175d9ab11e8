-- The GPUs that catalogs offer under a name that is not known, most offers first.
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
