-- name: bounds
-- Per GPU name, the prices between which 98 % of its GPUs are in the range, in billionths of a dollar. A rented GPU is in the middle of its bin.
-- Parameters: those of asked_prices.
SELECT gpu_name, quantilesExactWeighted(0.01, 0.99)(intDiv(low + high, 2), gpus) AS bounds
FROM ({{asked_prices}})
WHERE low >= 0
GROUP BY gpu_name

-- name: cells
-- GPUs per GPU name, state and price bin: one row each, with a sum over the slots for every bucket of [from, to). Bins are of equal width from
-- the low price of the name; prices outside count in the first and the last bin. GPUs whose price is only known to be in a range are spread
-- evenly over it, and those without a price are in bin 255. An array of sums for each bin takes half the time of a row for each cell.
-- Parameters: those of asked_prices; step (stored_step divides it; from and to are on it); lows, widths Array(Int64) (billionths of a dollar)
-- and bins Array(Int64), one for each of the names.
SELECT
  gpu_name, rented, bin,
  sumResample({from:UInt32}, {to:UInt32}, {step:UInt32})(gpus * share, toUnixTimestamp(bucket)) AS gpu_slots
FROM (
  SELECT
    gpu_name, rented, gpus, bucket,
    transform(gpu_name, {names:Array(String)}, {lows:Array(Int64)}, toInt64(0)) AS lowest,
    transform(gpu_name, {names:Array(String)}, {widths:Array(Int64)}, toInt64(1)) AS width,
    transform(gpu_name, {names:Array(String)}, {bins:Array(Int64)}, toInt64(1)) - 1 AS last,
    greatest(high, low + 1) AS end,
    greatest(0, least(last, intDiv(low - lowest, width))) AS first_bin,
    greatest(0, least(last, intDiv(end - 1 - lowest, width))) AS last_bin,
    arrayJoin(if(low < 0, [toInt64(255)], range(first_bin, last_bin + 1))) AS bin,
    if(
      first_bin = last_bin OR bin = 255, 1,
      (if(bin = last_bin, end, lowest + (bin + 1) * width) - if(bin = first_bin, low, lowest + bin * width)) / (end - low)
    ) AS share
  FROM ({{asked_prices}})
)
GROUP BY gpu_name, rented, bin
