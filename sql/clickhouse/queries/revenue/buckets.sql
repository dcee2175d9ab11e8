-- Per GPU name and bucket of whole hours: rented GPUs, all GPUs, and what the rented ones cost, each summed over the slots of the bucket.
-- The money is summed as a decimal. Parameters: names Array(String), verified, hosting_type, num_gpus, step, from, to (on the step).
SELECT
  gpu_name,
  intDiv(toUnixTimestamp(hour), {step:UInt32}) * {step:UInt32} AS start,
  sumIf(gpus, rented) AS rented_gpus,
  sum(gpus) AS all_gpus,
  toFloat64(sumIf(toDecimal128(price, 9) * gpus, rented)) AS paid
FROM price_histogram FINAL
WHERE gpu_name IN {names:Array(String)}
  AND hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC')
  AND ({verified:String} = 'all' OR verified = ({verified:String} = 'yes'))
  AND ({hosting_type:String} = 'all' OR hosting_type = {hosting_type:String})
  AND ({num_gpus:UInt16} = 0 OR num_gpus = {num_gpus:UInt16})
GROUP BY gpu_name, start
