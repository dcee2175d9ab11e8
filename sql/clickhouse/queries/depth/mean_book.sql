-- GPUs by GPU name, state and price, ascending, summed over the slots of a range. Parameters and prices: those of asked_prices, and by_memory Bool: by
-- size of memory, too (else 0).
SELECT gpu_name, {by_memory:Bool} ? memory : 0 AS gpu_memory, rented, low, high, sum(gpus) AS gpus
FROM ({{asked_prices}})
GROUP BY gpu_name, gpu_memory, rented, low, high
ORDER BY gpu_name, low, high, gpu_memory
