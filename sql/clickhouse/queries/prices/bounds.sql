-- Per GPU name, the prices between which 98 % of its GPUs are in the range, in billionths of a dollar. A rented GPU is in the middle of its bin.
-- Parameters: those of asked_prices.
SELECT gpu_name, quantilesExactWeighted(0.01, 0.99)(intDiv(low + high, 2), gpus) AS bounds
FROM ({{asked_prices}})
WHERE low >= 0
GROUP BY gpu_name
