-- Per GPU name, the prices between which 98 % of its GPUs are in the range, in billionths of a dollar.
-- Parameters: names Array(String), verified, hosting_type, num_gpus, from, to (whole hours).
SELECT
  gpu_name,
  arrayMap(bound -> toInt64(toDecimal128(bound, 9) * 1000000000), quantilesExactWeighted(0.01, 0.99)(price, gpus)) AS bounds
FROM price_histogram FINAL
WHERE gpu_name IN {names:Array(String)}
  AND hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC')
  AND ({verified:String} = 'all' OR verified = ({verified:String} = 'yes'))
  AND ({hosting_type:String} = 'all' OR hosting_type = {hosting_type:String})
  AND ({num_gpus:UInt16} = 0 OR num_gpus = {num_gpus:UInt16})
GROUP BY gpu_name
