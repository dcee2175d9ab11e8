-- GPUs per GPU name, state and price bin: one row each, with a sum over the slots for every bucket of [from, to). Bins are of equal width from
-- the low price of the name; prices outside count in the first and the last bin. An array of sums for each bin takes half the time of a row
-- for each cell.
-- Parameters: those of asked_prices; step (stored_step divides it; from and to are on it); lows, widths Array(Int64) (billionths of a dollar)
-- and bins Array(Int64), one for each of the names.
SELECT
  gpu_name, rented, bin,
  sumResample({from:UInt32}, {to:UInt32}, {step:UInt32})(gpus, toUnixTimestamp(bucket)) AS gpu_slots
FROM (
  SELECT
    gpu_name, rented, gpus, bucket,
    indexOf({names:Array(String)}, gpu_name) AS place,
    intDiv(reinterpretAsInt64(price) - {lows:Array(Int64)}[place], {widths:Array(Int64)}[place]) AS above,
    toUInt8(greatest(0, least({bins:Array(Int64)}[place] - 1, above))) AS bin
  FROM asked_prices(
    names = {names:Array(String)}, verified = {verified:String}, hosting_type = {hosting_type:String}, num_gpus = {num_gpus:UInt16},
    stored_step = {stored_step:UInt32}, from = {from:UInt32}, to = {to:UInt32}
  )
)
GROUP BY gpu_name, rented, bin
