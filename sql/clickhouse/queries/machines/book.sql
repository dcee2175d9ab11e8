-- The available GPUs of some GPU names at each price of one slot, cheapest first. Parameters: names Array(String), slot.
SELECT gpu_name, toFloat64(price) AS price, sum(observations.gpus) AS gpus
FROM observations
WHERE gpu_name IN {names:Array(String)} AND slot = toDateTime({slot:UInt32}, 'UTC') AND NOT rented
GROUP BY gpu_name, price
ORDER BY gpu_name, price
