-- GPUs by GPU name, state and price, ascending, summed over the slots of a range. Parameters and prices: those of asked_prices.
SELECT gpu_name, rented, low, high, sum(gpus) AS gpus
FROM ({{asked_prices}})
GROUP BY gpu_name, rented, low, high
ORDER BY gpu_name, low, high
