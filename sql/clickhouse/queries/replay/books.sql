-- The book of a GPU name in each hour: its prices, cheapest first, and the GPUs available at each, summed over the slots of the hour, of all
-- machines and of those of a class. Where the name has several sizes of memory, only that of the class counts (contract/market-filter.ts, ofProduct).
-- Parameters: name String, those of one_class, gpu_memory, from, to (whole hours).
SELECT toUnixTimestamp(hour) AS hour, groupArray(price) AS prices, groupArray(gpus) AS gpus, groupArray(of_class) AS class_gpus
FROM (
  SELECT
    hour, toFloat64(price) AS price, sum(sized.gpus) AS gpus,
    sumIf(sized.gpus, {{one_class}}) AS of_class
  FROM (
    SELECT *, max(gpu_memory NOT IN (0, {gpu_memory:UInt16})) OVER () AS is_mixed
    FROM price_histogram FINAL
    WHERE hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC') AND gpu_name = {name:String} AND NOT rented
  ) AS sized
  WHERE NOT is_mixed OR {gpu_memory:UInt16} IN (0, gpu_memory)
  GROUP BY hour, price
  ORDER BY hour, price
)
GROUP BY hour
ORDER BY hour
