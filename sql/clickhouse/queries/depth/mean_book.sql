-- GPUs at each price by GPU name and price, summed over the slots of a range. Parameters: those of asked_prices.
SELECT
  gpu_name,
  toFloat64(price) AS price,
  sumIf(gpus, NOT rented) AS available,
  sumIf(gpus, rented) AS rented_gpus
FROM asked_prices(
  names = {names:Array(String)}, verified = {verified:String}, hosting_type = {hosting_type:String}, num_gpus = {num_gpus:UInt16},
  stored_step = {stored_step:UInt32}, from = {from:UInt32}, to = {to:UInt32}
)
GROUP BY gpu_name, price
ORDER BY gpu_name, price
