-- name: bounds
-- Per GPU name, the prices between which 98 % of its GPUs lie, in billionths of a dollar. Rented GPUs count only for the names in `shown`.
-- Parameters: as for asked_prices, and shown Array(String).
SELECT gpu_name, quantilesExactWeighted(0.01, 0.99)(price, gpus) AS bounds
FROM ({{asked_prices}})
WHERE NOT rented OR gpu_name IN {shown:Array(String)}
GROUP BY gpu_name

-- name: cells
-- GPUs per GPU name, state and price bin: one row per bin, with an array: the sum over the slots of each bucket of [from, to). Bins have equal width
-- and begin at the low price of the name; prices outside count in the first and the last bin. An array per bin takes half the time of a row per
-- bucket.
-- Parameters: as for asked_prices; step (stored_step divides it; from and to are on it); lows, widths Array(Int64) (billionths of a dollar)
-- and bins Array(Int64), one for each of the names.
SELECT
  gpu_name, rented, bin,
  sumResample({from:UInt32}, {to:UInt32}, {step:UInt32})(gpus, toUnixTimestamp(bucket)) AS gpu_slots
FROM (
  SELECT
    gpu_name, rented, gpus, bucket,
    transform(gpu_name, {names:Array(String)}, {lows:Array(Int64)}, toInt64(0)) AS lowest,
    transform(gpu_name, {names:Array(String)}, {widths:Array(Int64)}, toInt64(1)) AS width,
    transform(gpu_name, {names:Array(String)}, {bins:Array(Int64)}, toInt64(1)) - 1 AS last,
    greatest(0, least(last, intDiv(price - lowest, width))) AS bin
  FROM ({{asked_prices}})
)
GROUP BY gpu_name, rented, bin
