-- The quartiles of the available prices of one slot per GPU name, weighted by GPUs, nearest rank.
-- Parameters: verified, hosting_type, num_gpus, slot.
SELECT gpu_name, prices[1] AS price_p25, prices[2] AS price_p75
FROM (
  SELECT gpu_name, quantilesExactWeighted(0.25, 0.75)(price, gpus) AS prices
  FROM observations
  WHERE slot = toDateTime({slot:UInt32}, 'UTC') AND NOT rented
    AND ({verified:String} = 'all' OR verified = ({verified:String} = 'yes'))
    AND ({hosting_type:String} = 'all' OR hosting_type = {hosting_type:String})
    AND ({num_gpus:UInt16} = 0 OR num_gpus = {num_gpus:UInt16})
  GROUP BY gpu_name
)
