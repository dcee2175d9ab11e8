-- The quartiles of the available prices of one slot per GPU name, weighted by GPUs, nearest rank.
-- Parameters: the filters, slot.
SELECT gpu_name, prices[1] AS price_p25, prices[2] AS price_p75
FROM (
  SELECT gpu_name, quantilesExactWeighted(0.25, 0.75)(price, gpus) AS prices
  FROM observations
  WHERE slot = toDateTime({slot:UInt32}, 'UTC') AND NOT rented
    AND {{filter_machines}}
  GROUP BY gpu_name
)
