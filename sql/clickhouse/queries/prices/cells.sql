-- GPUs per GPU name, bucket of whole hours, state and price bin, summed over the slots of the bucket. Bins are of equal width from the low
-- price of the name; prices outside count in the first and the last bin.
-- Parameters: those of asked_prices; step (stored_step divides it); lows, widths Array(Int64) (billionths of a dollar) and bins
-- Array(Int64), one for each of the names.
SELECT
  gpu_name, start, rented, bin, sum(gpus) AS gpu_slots
FROM (
  SELECT
    gpu_name, rented, gpus,
    intDiv(toUnixTimestamp(bucket), {step:UInt32}) * {step:UInt32} AS start,
    indexOf({names:Array(String)}, gpu_name) AS place,
    intDiv(reinterpretAsInt64(price) - {lows:Array(Int64)}[place], {widths:Array(Int64)}[place]) AS above,
    toUInt8(greatest(0, least({bins:Array(Int64)}[place] - 1, above))) AS bin
  FROM asked_prices(
    names = {names:Array(String)}, verified = {verified:String}, hosting_type = {hosting_type:String}, num_gpus = {num_gpus:UInt16},
    stored_step = {stored_step:UInt32}, from = {from:UInt32}, to = {to:UInt32}
  )
)
GROUP BY gpu_name, start, rented, bin
