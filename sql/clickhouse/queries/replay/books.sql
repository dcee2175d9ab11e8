-- The book of a GPU name in each hour: its prices, cheapest first, and the GPUs available at each, summed over the slots of the hour, of all
-- machines and of those of a class. Parameters: name String, those of filter_one_class, from, to (whole hours).
SELECT toUnixTimestamp(hour) AS hour, groupArray(price) AS prices, groupArray(gpus) AS gpus, groupArray(of_class) AS class_gpus
FROM (
  SELECT
    hour, toFloat64(price) AS price, sum(histogram.gpus) AS gpus,
    sumIf(histogram.gpus, {{filter_one_class}}) AS of_class
  FROM price_histogram AS histogram FINAL
  WHERE hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC') AND gpu_name = {name:String} AND NOT rented
  GROUP BY hour, price
  ORDER BY hour, price
)
GROUP BY hour
ORDER BY hour
