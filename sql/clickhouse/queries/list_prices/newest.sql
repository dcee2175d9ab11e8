-- The newest row of each offer of a provider. Parameters: catalog, provider.
SELECT
  region, instance_name, listed_name, gpu_name, gpu_memory, gpus, spot,
  argMax(tuple(price), list_prices.time).1 AS price, toUnixTimestamp(max(list_prices.time)) AS changed
FROM list_prices
WHERE catalog = {catalog:String} AND provider = {provider:String}
GROUP BY region, instance_name, listed_name, gpu_name, gpu_memory, gpus, spot
