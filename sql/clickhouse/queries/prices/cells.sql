-- GPUs per GPU name, bucket of whole hours, state and price bin, summed over the slots of the bucket. Bins are of equal width from the low
-- price of the name; prices outside count in the first and the last bin.
-- Parameters: names Array(String); lows, widths Array(Int64) (billionths of a dollar) and bins Array(Int64), one for each name;
-- verified, hosting_type, num_gpus, step, from, to (on the step).
SELECT
  gpu_name, start, rented, bin, sum(gpus) AS gpu_slots
FROM (
  SELECT
    gpu_name, rented, gpus,
    intDiv(toUnixTimestamp(hour), {step:UInt32}) * {step:UInt32} AS start,
    toInt64(toDecimal128(price, 9) * 1000000000) AS nanos,
    indexOf({names:Array(String)}, toString(gpu_name)) AS place,
    greatest(0, least({bins:Array(Int64)}[place] - 1, intDiv(nanos - {lows:Array(Int64)}[place], {widths:Array(Int64)}[place]))) AS bin
  FROM price_histogram FINAL
  WHERE gpu_name IN {names:Array(String)}
    AND hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC')
    AND ({verified:String} = 'all' OR verified = ({verified:String} = 'yes'))
    AND ({hosting_type:String} = 'all' OR hosting_type = {hosting_type:String})
    AND ({num_gpus:UInt16} = 0 OR num_gpus = {num_gpus:UInt16})
)
GROUP BY gpu_name, start, rented, bin
